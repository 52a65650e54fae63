import type { Clock } from '@switchyard/gateway-kit';
import type { DenialCode } from './denial.ts';

/** How a request ended, as metrics and the access log name it. */
export type RequestOutcome = 'success' | 'denied' | 'upstream_error' | 'gateway_error' | 'canceled';

/** All outcomes, for metric series that start at zero. */
export const REQUEST_OUTCOMES: readonly RequestOutcome[] = [
  'success',
  'denied',
  'upstream_error',
  'gateway_error',
  'canceled',
];

/** Everything that is told about one request: filled in along the way, reported once at its end. */
export interface RequestRecord {
  /** Counts this process' requests from 1. */
  readonly n: number;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  /** Monotonic milliseconds. */
  readonly startedMs: number;
  traceId: string | null;
  /** The consumer's id of this request. */
  requestId: string | null;
  candidateId: string | null;
  /** The configured path; null when the policy does not know it. */
  route: string | null;
  /** As asked for; a metric label only when it is configured. */
  model: string | null;
  /** What the peer got; 499 when it left. */
  status: number | null;
  code: DenialCode | null;
  ttfbMs: number | null;
  totalMs: number | null;
  /** Body bytes sent to the peer. */
  bytes: number;
  outcome: RequestOutcome;
}

/** A record for a request that has just arrived. */
export function openRecord(n: number, clock: Clock): RequestRecord {
  return {
    n,
    startedAtMs: clock.now(),
    startedMs: clock.monotonicMs(),
    traceId: null,
    requestId: null,
    candidateId: null,
    route: null,
    model: null,
    status: null,
    code: null,
    ttfbMs: null,
    totalMs: null,
    bytes: 0,
    outcome: 'gateway_error',
  };
}
