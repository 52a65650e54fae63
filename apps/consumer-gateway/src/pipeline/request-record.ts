import type { AttemptResult, RouteDecision } from '@switchyard/ai-route';
import type { Clock } from '@switchyard/gateway-kit';
import type { GatewayFailureCode, RequestOutcome } from '../answer/gateway-failure.ts';

/** One try at one candidate, as the access log tells it. */
interface TriedCandidate {
  readonly provider: string;
  readonly result: AttemptResult;
}

/** Everything that is told about one request: filled in along the way, reported once at its end. */
export interface RequestRecord {
  /** Counts this process' proxied requests from 1. */
  readonly n: number;
  readonly route: string;
  /** Fresh UUID; also sent to provider gateways. */
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  /** Monotonic milliseconds. */
  readonly startedMs: number;
  /** From our span, else from the client's valid `traceparent`, else null. */
  traceId: string | null;
  /** As asked for; null while unknown. */
  model: string | null;
  /** Whether `model` is one that the serving snapshot routes. */
  routable: boolean;
  /** The decision of the last attempt. */
  decision: RouteDecision | undefined;
  attempts: number;
  tried: TriedCandidate[];
  /** What the client got; 499 when it left. */
  status: number | null;
  /** Code of the gateway's own answer. */
  code: GatewayFailureCode | null;
  ttfbMs: number | null;
  totalMs: number | null;
  /** Body bytes sent to the client. */
  bytes: number;
  outcome: RequestOutcome;
}

/** A record for a request that has just arrived. */
export function openRecord(start: {
  n: number;
  route: string;
  requestId: string;
  clock: Clock;
}): RequestRecord {
  return {
    n: start.n,
    route: start.route,
    requestId: start.requestId,
    startedAtMs: start.clock.now(),
    startedMs: start.clock.monotonicMs(),
    traceId: null,
    model: null,
    routable: false,
    decision: undefined,
    attempts: 0,
    tried: [],
    status: null,
    code: null,
    ttfbMs: null,
    totalMs: null,
    bytes: 0,
    outcome: 'gateway_error',
  };
}
