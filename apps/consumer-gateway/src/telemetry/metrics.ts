import type { Registry } from 'prom-client';
import { REQUEST_OUTCOMES } from '../answer/gateway-failure.ts';
import { ATTEMPT_RESULTS, type AttemptResult } from '../pipeline/outcome-table.ts';
import type { RequestRecord } from '../pipeline/request-record.ts';
import {
  type OverlayCollectors,
  overlayCollectors,
  type RequestCollectors,
  requestCollectors,
} from './collectors.ts';
import { ModelLabels, OTHER_MODEL } from './model-labels.ts';

/** What came of reading the overlay file, as `switchyard_overlay_reloads_total` counts it. */
export type ReloadOutcome = 'accepted' | 'unchanged' | 'rejected' | 'unreadable' | 'rollback';

const reloadOutcomes: readonly ReloadOutcome[] = [
  'accepted',
  'unchanged',
  'rejected',
  'unreadable',
  'rollback',
];

/** The snapshot that serves, as far as metrics show it. */
export interface ServingSnapshot {
  readonly revision: string;
  /** Epoch milliseconds. */
  readonly acceptedAtMs: number;
  /** Models and the clusters that may serve them: their series start at zero. */
  readonly models: readonly { readonly model: string; readonly clusters: readonly string[] }[];
}

/** Label of a request that reached no cluster. */
const NO_PROVIDER = 'none';

/** The gateway's Prometheus metrics. Labels come from the configuration, the overlay and closed lists, never from clients. */
export class GatewayMetrics {
  readonly registry: Registry;
  readonly #models = new ModelLabels();
  readonly #request: RequestCollectors;
  readonly #overlay: OverlayCollectors;
  readonly #firstRoute: string;

  /** Every label combination that is known now starts at zero: a provider without traffic shows 0, not nothing. */
  constructor(
    registry: Registry,
    known: { readonly clusters: readonly string[]; readonly routes: readonly string[] },
  ) {
    this.registry = registry;
    this.#request = requestCollectors(registry);
    this.#overlay = overlayCollectors(registry);
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
    for (const outcome of reloadOutcomes) this.#overlay.reloads.inc({ outcome }, 0);
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

  /** The overlay file was read; `code` is the first issue of a rejected one. */
  overlayRead(outcome: ReloadOutcome, code?: string): void {
    this.#overlay.reloads.inc({ outcome });
    if (code !== undefined) this.#overlay.rejections.inc({ code });
  }

  /** Another snapshot serves from now on. */
  snapshotServes(snapshot: ServingSnapshot): void {
    this.#overlay.info.reset();
    this.#overlay.info.set({ revision: snapshot.revision }, 1);
    this.#overlay.lastAccepted.set(snapshot.acceptedAtMs / 1000);
    for (const { model, clusters } of snapshot.models) {
      const label = this.#models.admit(model);
      for (const provider of clusters)
        this.#request.requests.inc(
          { route: this.#firstRoute, model: label, provider, outcome: 'success' },
          0,
        );
    }
  }
}
