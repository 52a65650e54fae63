import type { AttemptResult } from '@switchyard/ai-route';
import type { ForwardOutcome } from '@switchyard/proxy-core-http';
import type { GatewayFailureCode, RequestOutcome } from '../answer/gateway-failure.ts';

/** What the gateway itself does about one attempt's result. What it means for routing, ai-route's table says. */
export interface AttemptEnding {
  /** How the endpoint's lease is released. */
  readonly lease: 'success' | 'failure' | 'canceled';
  /** The request's outcome when it ends with this result; undefined = told by the status that was sent. */
  readonly outcome: RequestOutcome | undefined;
  /** The gateway's own answer when nothing was sent yet; undefined = the provider's answer goes through untouched. */
  readonly answer?: { readonly status: number; readonly code: GatewayFailureCode; readonly says: string };
}

const refused: AttemptEnding = { lease: 'failure', outcome: 'upstream_error' };

/** How each result ends an attempt here. The README shows it beside ai-route's `OUTCOME_TABLE`. */
export const ATTEMPT_ENDINGS: Readonly<Record<AttemptResult, AttemptEnding>> = {
  answered: { lease: 'success', outcome: undefined },
  status_429: refused,
  status_500: refused,
  status_502: refused,
  status_503: refused,
  status_504: refused,
  status_529: refused,
  connect_failed: {
    ...refused,
    answer: { status: 502, code: 'upstream_connect_failed', says: 'could not be reached' },
  },
  reset: { ...refused, answer: { status: 502, code: 'upstream_reset', says: 'closed the connection' } },
  first_byte_timeout: {
    ...refused,
    answer: { status: 504, code: 'upstream_timeout', says: 'sent nothing in time' },
  },
  invalid_response: {
    ...refused,
    answer: { status: 502, code: 'upstream_invalid_response', says: 'sent something that is not HTTP' },
  },
  no_endpoint: {
    lease: 'canceled',
    outcome: 'no_provider',
    answer: { status: 503, code: 'no_viable_provider', says: 'has no endpoint in service' },
  },
  local_error: {
    lease: 'canceled',
    outcome: 'gateway_error',
    answer: { status: 500, code: 'gateway_error', says: 'was not called: the gateway failed' },
  },
  broken: refused,
  client_gone: { lease: 'canceled', outcome: 'canceled' },
};

const movingStatuses: ReadonlyMap<number, AttemptResult> = new Map([
  [429, 'status_429'],
  [500, 'status_500'],
  [502, 'status_502'],
  [503, 'status_503'],
  [504, 'status_504'],
  [529, 'status_529'],
]);

/** The result that a provider's status is. */
export function resultOfStatus(status: number): AttemptResult {
  return movingStatuses.get(status) ?? 'answered';
}

/** The result that forwarding came to. */
export function resultOf(outcome: ForwardOutcome): AttemptResult {
  switch (outcome.kind) {
    case 'completed':
    case 'rejected':
      return resultOfStatus(outcome.status);
    case 'broken':
      return 'broken';
    case 'client_gone':
      return 'client_gone';
    case 'failed':
      return failedResults[outcome.reason];
  }
}

const failedResults: Readonly<Record<Extract<ForwardOutcome, { kind: 'failed' }>['reason'], AttemptResult>> =
  {
    connect: 'connect_failed',
    reset: 'reset',
    first_byte_timeout: 'first_byte_timeout',
    invalid_response: 'invalid_response',
    local: 'local_error',
  };

/** The request's outcome when a provider's answer with this status went through. */
export function outcomeOfStatus(status: number): RequestOutcome {
  if (status < 400) return 'success';
  return status === 429 || status >= 500 ? 'upstream_error' : 'client_error';
}
