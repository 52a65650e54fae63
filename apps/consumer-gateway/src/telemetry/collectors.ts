import { LATENCY_BUCKETS_SECONDS } from '@switchyard/gateway-kit';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The collectors that describe requests and attempts. */
export interface RequestCollectors {
  readonly requests: Counter<'route' | 'model' | 'provider' | 'outcome'>;
  readonly duration: Histogram<'route' | 'provider'>;
  readonly firstByte: Histogram<'route' | 'provider'>;
  readonly inFlight: Gauge<'route'>;
  readonly attempts: Counter<'provider' | 'result'>;
  readonly activeAttempts: Gauge<'provider'>;
}

/** Registers what describes requests and attempts. */
export function requestCollectors(registry: Registry): RequestCollectors {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'switchyard_requests_total',
      help: 'Proxied requests by how they ended.',
      labelNames: ['route', 'model', 'provider', 'outcome'],
      registers,
    }),
    duration: new Histogram({
      name: 'switchyard_request_duration_seconds',
      help: 'Time from the request head to the last byte of the response.',
      labelNames: ['route', 'provider'],
      buckets: [...LATENCY_BUCKETS_SECONDS],
      registers,
    }),
    firstByte: new Histogram({
      name: 'switchyard_time_to_first_byte_seconds',
      help: 'Time from the request head to the first byte of a provider response.',
      labelNames: ['route', 'provider'],
      buckets: [...LATENCY_BUCKETS_SECONDS],
      registers,
    }),
    inFlight: new Gauge({
      name: 'switchyard_inflight_requests',
      help: 'Proxied requests that have not ended.',
      labelNames: ['route'],
      registers,
    }),
    attempts: new Counter({
      name: 'switchyard_upstream_attempts_total',
      help: 'Attempts at a provider by their result in the outcome table.',
      labelNames: ['provider', 'result'],
      registers,
    }),
    activeAttempts: new Gauge({
      name: 'switchyard_inflight_attempts',
      help: 'Attempts at a provider that have not ended.',
      labelNames: ['provider'],
      registers,
    }),
  };
}
