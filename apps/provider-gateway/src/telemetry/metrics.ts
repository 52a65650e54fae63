import { createRegistry, LATENCY_BUCKETS_SECONDS } from '@switchyard/gateway-kit';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { APP } from '../app.ts';
import { DENIAL_CODES } from '../pipeline/denial.ts';
import { REQUEST_OUTCOMES, type RequestRecord } from '../pipeline/request-record.ts';

/** Label of a model that is not configured: what a peer invents never becomes a series. */
const OTHER = 'other';

/** The gateway's Prometheus metrics. Labels come from the configuration and closed lists. */
export class GatewayMetrics {
  readonly registry: Registry = createRegistry({ app: APP.name, version: APP.version });
  readonly #models: ReadonlySet<string>;
  readonly #requests: Counter;
  readonly #denials: Counter;
  readonly #duration: Histogram;
  readonly #firstByte: Histogram;
  readonly #inFlight: Gauge;

  constructor(models: readonly string[]) {
    this.#models = new Set(models);
    const registers = [this.registry];
    const buckets = [...LATENCY_BUCKETS_SECONDS];
    this.#requests = new Counter({
      name: 'switchyard_provider_requests_total',
      help: 'Requests by model and outcome.',
      labelNames: ['model', 'outcome'],
      registers,
    });
    this.#denials = new Counter({
      name: 'switchyard_provider_denials_total',
      help: 'Requests that this gateway answered by itself, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'switchyard_provider_request_duration_seconds',
      help: 'From the head of a request to its last byte.',
      labelNames: ['model'],
      buckets,
      registers,
    });
    this.#firstByte = new Histogram({
      name: 'switchyard_provider_time_to_first_byte_seconds',
      help: 'From the head of a request to the first byte of the answer.',
      labelNames: ['model'],
      buckets,
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'switchyard_provider_requests_in_flight',
      help: 'Requests being served now.',
      registers,
    });
    for (const reason of DENIAL_CODES) this.#denials.inc({ reason }, 0);
    for (const model of [...models, OTHER]) {
      for (const outcome of REQUEST_OUTCOMES) this.#requests.inc({ model, outcome }, 0);
    }
  }

  /** A request's head has arrived. */
  requestStarted(): void {
    this.#inFlight.inc();
  }

  /** A request has ended, whichever way. */
  requestEnded(record: RequestRecord): void {
    const model = record.model !== null && this.#models.has(record.model) ? record.model : OTHER;
    this.#inFlight.dec();
    this.#requests.inc({ model, outcome: record.outcome });
    if (record.code !== null) this.#denials.inc({ reason: record.code });
    if (record.totalMs !== null) this.#duration.observe({ model }, record.totalMs / 1000);
    if (record.ttfbMs !== null) this.#firstByte.observe({ model }, record.ttfbMs / 1000);
  }
}
