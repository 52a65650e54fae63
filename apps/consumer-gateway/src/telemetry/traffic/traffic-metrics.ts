import {
  ATTEMPT_RESULTS,
  type EjectedEvent,
  type RetryRefusalReason,
  type TrafficView,
} from '@switchyard/ai-route';
import type { Counter, MetricRegistry } from '@switchyard/gateway-kit';
import { LABELS } from '../labels.ts';

/** Why an attempt that failed was not followed by another one. */
type Refusal = Exclude<RetryRefusalReason, 'not_retryable'>;

const refusals: readonly Refusal[] = [
  'not_replayable',
  'attempts_exhausted',
  'too_slow',
  'budget_exhausted',
  'no_viable_candidate',
];

/** What the metrics say about failing providers and repeated requests. */
export class TrafficMetrics {
  readonly #ejections: Counter<'provider' | 'result'>;
  readonly #recoveries: Counter<'provider'>;
  readonly #refused: Counter<'reason'>;
  /** Undefined until the router is there. */
  #traffic: (() => TrafficView) | undefined;

  constructor(registry: MetricRegistry) {
    this.#ejections = registry.counter({
      name: 'switchyard_ejections_total',
      help: 'Times that a candidate was left alone for a while, by the result of its last attempt.',
      unit: 'ejections',
      labels: {
        provider: LABELS.provider,
        result: { help: 'Row of the outcome table.', values: ATTEMPT_RESULTS },
      },
    });
    this.#recoveries = registry.counter({
      name: 'switchyard_recoveries_total',
      help: 'Times that an ejected candidate answered and served again.',
      unit: 'recoveries',
      labels: { provider: LABELS.provider },
    });
    this.#refused = registry.counter({
      name: 'switchyard_retries_refused_total',
      help: 'Attempts that failed and were not followed by another one, by the reason.',
      unit: 'attempts',
      labels: { reason: { help: 'Why not.', values: refusals } },
    });
    registry
      .gauge({
        name: 'switchyard_ejected_candidates',
        help: 'Candidates that are ejected or being probed now.',
        unit: 'candidates',
      })
      .read(() => this.#traffic?.().ejected.length ?? 0);
    registry
      .gauge({
        name: 'switchyard_retrying_requests',
        help: 'Requests that have not ended and are past their first attempt.',
        unit: 'requests',
      })
      .read(() => this.#traffic?.().retrying ?? 0);
    for (const reason of refusals) this.#refused.zero({ reason });
  }

  /** From now on the router's traffic is read at each scrape. */
  observe(traffic: () => TrafficView): void {
    this.#traffic = traffic;
  }

  /** A candidate is left alone for a while. */
  ejected({ candidate, result }: EjectedEvent): void {
    this.#ejections.inc({ provider: candidate.cluster, result });
  }

  /** An ejected candidate serves again. */
  recovered(provider: string): void {
    this.#recoveries.inc({ provider });
  }

  /** An attempt failed and is the last one. */
  retryRefused(reason: Refusal): void {
    this.#refused.inc({ reason });
  }
}
