import { ATTEMPT_RESULTS } from '@switchyard/ai-route';
import {
  type Counter,
  type Gauge,
  type Histogram,
  LATENCY_BUCKETS_SECONDS,
  type MetricRegistry,
} from '@switchyard/gateway-kit';
import { REQUEST_OUTCOMES } from '../answer/gateway-failure.ts';
import { LABELS } from './labels.ts';

/** The collectors that describe requests and attempts. */
export interface RequestCollectors {
  readonly requests: Counter<'route' | 'model' | 'provider' | 'outcome'>;
  readonly duration: Histogram<'route' | 'provider'>;
  readonly firstByte: Histogram<'route' | 'provider'>;
  readonly inFlight: Gauge<'route'>;
  readonly attempts: Counter<'provider' | 'result'>;
  readonly activeAttempts: Gauge<'provider'>;
  readonly unrouted: Counter<'status'>;
}

/** Label of a request that its client left before it was answered. */
export const NO_STATUS = 'none';

/** Statuses of what the open port answers without routing. */
const UNROUTED_STATUSES: readonly string[] = [
  NO_STATUS,
  '200',
  '400',
  '404',
  '405',
  '408',
  '417',
  '429',
  '431',
  '500',
  '503',
];

/** Registers what describes requests and attempts. */
export function requestCollectors(registry: MetricRegistry): RequestCollectors {
  const { route, model, provider, reachedProvider } = LABELS;
  return {
    requests: registry.counter({
      name: 'switchyard_requests_total',
      help: 'Proxied requests by how they ended.',
      unit: 'requests',
      labels: {
        route,
        model,
        provider: reachedProvider,
        outcome: { help: 'How it ended.', values: REQUEST_OUTCOMES },
      },
      // A thousand models at some providers each.
      maxSeries: 20_000,
    }),
    duration: registry.histogram({
      name: 'switchyard_request_duration_seconds',
      help: 'Time from the request head to the last byte of the response.',
      unit: 'seconds',
      labels: { route, provider: reachedProvider },
      buckets: LATENCY_BUCKETS_SECONDS,
    }),
    firstByte: registry.histogram({
      name: 'switchyard_time_to_first_byte_seconds',
      help: 'Time from the request head to the first byte of a provider response.',
      unit: 'seconds',
      labels: { route, provider: reachedProvider },
      buckets: LATENCY_BUCKETS_SECONDS,
    }),
    inFlight: registry.gauge({
      name: 'switchyard_inflight_requests',
      help: 'Proxied requests that have not ended.',
      unit: 'requests',
      labels: { route },
    }),
    attempts: registry.counter({
      name: 'switchyard_upstream_attempts_total',
      help: 'Attempts at a provider by their result in the outcome table.',
      unit: 'attempts',
      labels: { provider, result: { help: 'Row of the outcome table.', values: ATTEMPT_RESULTS } },
    }),
    activeAttempts: registry.gauge({
      name: 'switchyard_inflight_attempts',
      help: 'Attempts at a provider that have not ended.',
      unit: 'attempts',
      labels: { provider },
    }),
    unrouted: registry.counter({
      name: 'switchyard_unrouted_requests_total',
      help: 'Requests that the open port answered or refused without routing them.',
      unit: 'requests',
      labels: {
        status: {
          help: 'HTTP status of the answer; `none` when the client left before it.',
          values: UNROUTED_STATUSES,
        },
      },
    }),
  };
}
