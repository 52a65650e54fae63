import {
  type Counter,
  type Gauge,
  GenAiMetrics,
  type Histogram,
  LATENCY_BUCKETS_SECONDS,
  type LabelDefinition,
  type MetricRegistry,
  OTHER,
} from '@switchyard/gateway-kit';
import { DENIAL_CODES } from '../pipeline/denial.ts';
import { REQUEST_OUTCOMES, type RequestRecord } from '../pipeline/request-record.ts';

/** The gateway's Prometheus metrics. Labels come from the configuration and closed lists. */
export class GatewayMetrics {
  readonly registry: MetricRegistry;
  /** For {@link ModelCall}; its model must be a configured one. */
  readonly genAi: GenAiMetrics;
  /** What a peer invents never becomes a series. */
  readonly #models: ReadonlySet<string>;
  readonly #requests: Counter<'model' | 'outcome'>;
  readonly #denials: Counter<'reason'>;
  readonly #duration: Histogram<'model'>;
  readonly #firstByte: Histogram<'model'>;
  readonly #inFlight: Gauge;

  /** @param models - The configured ones; every series that is known now starts at zero. */
  constructor(registry: MetricRegistry, models: readonly string[]) {
    this.registry = registry;
    this.#models = new Set(models);
    const model: LabelDefinition = {
      help: 'Model that was asked for; `other` when no route has it.',
      bound: 'configured models, and `other`',
    };
    this.#requests = registry.counter({
      name: 'switchyard_provider_requests_total',
      help: 'Requests by model and outcome.',
      unit: 'requests',
      labels: { model, outcome: { help: 'How it ended.', values: REQUEST_OUTCOMES } },
    });
    this.#denials = registry.counter({
      name: 'switchyard_provider_denials_total',
      help: 'Requests that this gateway answered by itself, by reason.',
      unit: 'requests',
      labels: { reason: { help: 'Code of the answer.', values: DENIAL_CODES } },
    });
    this.#duration = registry.histogram({
      name: 'switchyard_provider_request_duration_seconds',
      help: 'From the head of a request to its last byte.',
      unit: 'seconds',
      labels: { model },
      buckets: LATENCY_BUCKETS_SECONDS,
    });
    this.#firstByte = registry.histogram({
      name: 'switchyard_provider_time_to_first_byte_seconds',
      help: 'From the head of a request to the first byte of the answer.',
      unit: 'seconds',
      labels: { model },
      buckets: LATENCY_BUCKETS_SECONDS,
    });
    this.#inFlight = registry.gauge({
      name: 'switchyard_provider_requests_in_flight',
      help: 'Requests being served now.',
      unit: 'requests',
    });
    this.genAi = new GenAiMetrics(registry, {
      help: 'Model that was asked for.',
      bound: 'configured models',
    });
    for (const known of [...models, OTHER]) {
      for (const outcome of REQUEST_OUTCOMES) this.#requests.zero({ model: known, outcome });
      this.#duration.zero({ model: known });
      this.#firstByte.zero({ model: known });
    }
  }

  /** A request's head has arrived. */
  requestStarted(): void {
    this.#inFlight.inc({});
  }

  /**
   * A request has ended, whichever way.
   * @param traceId - Of its sampled trace; undefined when there is none.
   */
  requestEnded(record: RequestRecord, traceId?: string): void {
    const model = record.model !== null && this.#models.has(record.model) ? record.model : OTHER;
    this.#inFlight.dec({});
    this.#requests.inc({ model, outcome: record.outcome });
    if (record.code !== null) this.#denials.inc({ reason: record.code });
    if (record.totalMs !== null) this.#duration.observe({ model }, record.totalMs / 1000, traceId);
    if (record.ttfbMs !== null) this.#firstByte.observe({ model }, record.ttfbMs / 1000, traceId);
  }
  /** The port refused what never became a request; `code` says why. */
  refused(code: string | null): void {
    if (code !== null) this.#denials.inc({ reason: code });
  }
}
