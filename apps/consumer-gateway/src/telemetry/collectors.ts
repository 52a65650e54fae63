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

/** The collectors that describe the overlay. */
export interface OverlayCollectors {
  readonly reloads: Counter<'outcome'>;
  readonly rejections: Counter<'code'>;
  readonly lastAccepted: Gauge;
  readonly info: Gauge<'revision'>;
}

/** Registers what describes the overlay. */
export function overlayCollectors(registry: Registry): OverlayCollectors {
  const registers = [registry];
  return {
    reloads: new Counter({
      name: 'switchyard_overlay_reloads_total',
      help: 'Readings of the overlay file by what came of them.',
      labelNames: ['outcome'],
      registers,
    }),
    rejections: new Counter({
      name: 'switchyard_overlay_rejections_total',
      help: 'Rejected overlays by the code of their first issue.',
      labelNames: ['code'],
      registers,
    }),
    lastAccepted: new Gauge({
      name: 'switchyard_overlay_last_accepted_timestamp_seconds',
      help: 'When the serving snapshot was accepted, in seconds since the epoch.',
      registers,
    }),
    info: new Gauge({
      name: 'switchyard_overlay_info',
      help: 'Always 1; the label names the serving revision.',
      labelNames: ['revision'],
      registers,
    }),
  };
}
