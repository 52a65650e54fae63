import { ATTEMPT_RESULTS, type AttemptResult } from '@switchyard/ai-route';
import type { MetricRegistry } from '@switchyard/gateway-kit';
import { REQUEST_OUTCOMES } from '../answer/gateway-failure.ts';
import type { RequestRecord } from '../pipeline/request-record.ts';
import { NO_STATUS, type RequestCollectors, requestCollectors } from './collectors.ts';
import { ModelLabels, OTHER_MODEL } from './model-labels.ts';
import { OverlayMetrics } from './overlay-metrics.ts';
import { TrafficMetrics } from './traffic/traffic-metrics.ts';

/** Label of a request that reached no cluster. */
const NO_PROVIDER = 'none';

/** The gateway's Prometheus metrics. Labels come from the configuration, the overlay and closed lists, never from clients. */
export class GatewayMetrics {
  readonly registry: MetricRegistry;
  readonly overlay: OverlayMetrics;
  readonly traffic: TrafficMetrics;
  readonly #models = new ModelLabels();
  readonly #request: RequestCollectors;
  readonly #firstRoute: string;
  readonly #providers: ReadonlySet<string>;
  /** Providers whose series exist, by model label. */
  readonly #begun = new Map<string, Set<string>>();

  /** Every label combination that is known now starts at zero: a provider without traffic shows 0, not nothing. */
  constructor(
    registry: MetricRegistry,
    known: { readonly clusters: readonly string[]; readonly routes: readonly string[] },
  ) {
    this.registry = registry;
    this.#request = requestCollectors(registry);
    this.overlay = new OverlayMetrics(registry);
    this.traffic = new TrafficMetrics(registry);
    // One route is enough for a split to be summed over providers; five would be five times the series.
    this.#firstRoute = known.routes[0] ?? '';
    this.#providers = new Set(known.clusters);
    for (const provider of known.clusters) {
      this.#request.activeAttempts.set({ provider }, 0);
      for (const result of ATTEMPT_RESULTS) this.#request.attempts.zero({ provider, result });
    }
    for (const route of known.routes) {
      for (const outcome of REQUEST_OUTCOMES)
        this.#request.requests.zero({ route, model: OTHER_MODEL, provider: NO_PROVIDER, outcome });
    }
  }

  /** A request's head has arrived. */
  requestStarted(route: string): void {
    this.#request.inFlight.inc({ route });
  }

  /**
   * A request has ended, whichever way.
   * @param traceId - Of its sampled trace; undefined when there is none.
   */
  requestEnded(record: RequestRecord, traceId?: string): void {
    const { route, outcome } = record;
    const provider = record.decision?.candidate.cluster ?? NO_PROVIDER;
    this.#request.inFlight.dec({ route });
    this.#request.requests.inc({ route, model: this.#models.labelOf(record), provider, outcome });
    if (record.totalMs !== null)
      this.#request.duration.observe({ route, provider }, record.totalMs / 1000, traceId);
    if (record.ttfbMs !== null)
      this.#request.firstByte.observe({ route, provider }, record.ttfbMs / 1000, traceId);
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

  /** The open port answered without routing; null = the client left before. */
  unroutedAnswered(status: number | null): void {
    this.#request.unrouted.inc({ status: status === null ? NO_STATUS : String(status) });
  }

  /**
   * A model is served by these clusters from now on: the series of those that this gateway has begin at zero. Told of
   * every model at every reload, and next to nothing for one that every provider serves already.
   */
  modelServed(name: string, clusters: Iterable<string>): void {
    const model = this.#models.admit(name);
    const begun = this.#begun.get(model) ?? new Set<string>();
    if (begun.size === this.#providers.size) return;
    this.#begun.set(model, begun);
    for (const provider of clusters) {
      if (begun.has(provider) || !this.#providers.has(provider)) continue;
      begun.add(provider);
      this.#request.requests.zero({ route: this.#firstRoute, model, provider, outcome: 'success' });
    }
  }
}
