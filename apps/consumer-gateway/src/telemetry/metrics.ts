import type { Registry } from 'prom-client';
import { REQUEST_OUTCOMES } from '../answer/gateway-failure.ts';
import { ATTEMPT_RESULTS, type AttemptResult } from '../pipeline/outcome-table.ts';
import type { RequestRecord } from '../pipeline/request-record.ts';
import { type RequestCollectors, requestCollectors } from './collectors.ts';
import { ModelLabels, OTHER_MODEL } from './model-labels.ts';
import { OverlayMetrics } from './overlay-metrics.ts';

/** Label of a request that reached no cluster. */
const NO_PROVIDER = 'none';

/** The gateway's Prometheus metrics. Labels come from the configuration, the overlay and closed lists, never from clients. */
export class GatewayMetrics {
  readonly registry: Registry;
  readonly overlay: OverlayMetrics;
  readonly #models = new ModelLabels();
  readonly #request: RequestCollectors;
  readonly #firstRoute: string;
  /** Providers whose series exist, by model label. */
  readonly #begun = new Map<string, Set<string>>();

  /** Every label combination that is known now starts at zero: a provider without traffic shows 0, not nothing. */
  constructor(
    registry: Registry,
    known: { readonly clusters: readonly string[]; readonly routes: readonly string[] },
  ) {
    this.registry = registry;
    this.#request = requestCollectors(registry);
    this.overlay = new OverlayMetrics(registry);
    // One route is enough for a split to be summed over providers; five would be five times the series.
    this.#firstRoute = known.routes[0] ?? '';
    for (const provider of known.clusters) {
      this.#request.activeAttempts.set({ provider }, 0);
      for (const result of ATTEMPT_RESULTS) this.#request.attempts.inc({ provider, result }, 0);
    }
    for (const route of known.routes) {
      this.#request.inFlight.set({ route }, 0);
      for (const outcome of REQUEST_OUTCOMES)
        this.#request.requests.inc({ route, model: OTHER_MODEL, provider: NO_PROVIDER, outcome }, 0);
    }
  }

  /** A request's head has arrived. */
  requestStarted(route: string): void {
    this.#request.inFlight.inc({ route });
  }

  /** A request has ended, whichever way. */
  requestEnded(record: RequestRecord): void {
    const { route, outcome } = record;
    const provider = record.decision?.candidate.cluster ?? NO_PROVIDER;
    this.#request.inFlight.dec({ route });
    this.#request.requests.inc({ route, model: this.#models.labelOf(record), provider, outcome });
    if (record.totalMs !== null) this.#request.duration.observe({ route, provider }, record.totalMs / 1000);
    if (record.ttfbMs !== null) this.#request.firstByte.observe({ route, provider }, record.ttfbMs / 1000);
  }

  /** An attempt at a cluster begins. */
  attemptStarted(provider: string): void {
    this.#request.activeAttempts.inc({ provider });
  }

  /** An attempt at a cluster has ended. */
  attemptEnded(provider: string, result: AttemptResult): void {
    this.#request.activeAttempts.dec({ provider });
    this.#request.attempts.inc({ provider, result });
  }

  /** A model is served by these clusters from now on: its series begin at zero. */
  modelServed(name: string, clusters: Iterable<string>): void {
    const model = this.#models.admit(name);
    const begun = this.#begun.get(model) ?? new Set<string>();
    this.#begun.set(model, begun);
    for (const provider of clusters) {
      // Asked again at every reload, and a look is far cheaper than the client library's labels.
      if (begun.has(provider)) continue;
      begun.add(provider);
      this.#request.requests.inc({ route: this.#firstRoute, model, provider, outcome: 'success' }, 0);
    }
  }
}
