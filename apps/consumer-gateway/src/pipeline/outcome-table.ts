import type { ForwardOutcome } from '@switchyard/proxy-core-http';
import type { GatewayFailureCode, RequestOutcome } from '../answer/gateway-failure.ts';

/** What one attempt came to. Bounded: it is a metric label. */
export type AttemptResult =
  | 'answered'
  | 'status_429'
  | 'status_500'
  | 'status_502'
  | 'status_503'
  | 'status_504'
  | 'status_529'
  | 'connect_failed'
  | 'reset'
  | 'first_byte_timeout'
  | 'invalid_response'
  | 'no_endpoint'
  | 'local_error'
  | 'broken'
  | 'client_gone';

/** What the gateway does about one attempt's result. */
export interface OutcomeRule {
  /** Whether the next candidate is tried, while attempts remain and the body can be sent again. */
  readonly movesOn: boolean;
  /** How the endpoint's lease is released. */
  readonly lease: 'success' | 'failure' | 'canceled';
  /**
   * What happens to a session's binding when the request ends with this result. `confirmed once begun`: when the first
   * byte of an `answered` response had reached the client, else dropped.
   */
  readonly binding: 'confirmed' | 'confirmed once begun' | 'dropped';
  /** The request's outcome when it ends with this result; undefined = told by the status that was sent. */
  readonly outcome: RequestOutcome | undefined;
  /** The gateway's own answer when nothing was sent yet; undefined = the provider's answer goes through untouched. */
  readonly answer?: { readonly status: number; readonly code: GatewayFailureCode; readonly says: string };
}

const refused: OutcomeRule = {
  movesOn: true,
  lease: 'failure',
  binding: 'dropped',
  outcome: 'upstream_error',
};

/** The published outcome table: the only place that decides whether an attempt moves on. The README shows it. */
export const OUTCOME_TABLE: Readonly<Record<AttemptResult, OutcomeRule>> = {
  answered: { movesOn: false, lease: 'success', binding: 'confirmed', outcome: undefined },
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
    movesOn: true,
    lease: 'canceled',
    binding: 'dropped',
    outcome: 'no_provider',
    answer: { status: 503, code: 'no_viable_provider', says: 'has no endpoint in service' },
  },
  local_error: {
    movesOn: false,
    lease: 'canceled',
    binding: 'dropped',
    outcome: 'gateway_error',
    answer: { status: 500, code: 'gateway_error', says: 'was not called: the gateway failed' },
  },
  broken: { movesOn: false, lease: 'failure', binding: 'dropped', outcome: 'upstream_error' },
  client_gone: { movesOn: false, lease: 'canceled', binding: 'confirmed once begun', outcome: 'canceled' },
};

/** All attempt results, in the table's order. */
export const ATTEMPT_RESULTS: readonly AttemptResult[] = Object.keys(OUTCOME_TABLE) as AttemptResult[];

const movingStatuses: ReadonlyMap<number, AttemptResult> = new Map([
  [429, 'status_429'],
  [500, 'status_500'],
  [502, 'status_502'],
  [503, 'status_503'],
  [504, 'status_504'],
  [529, 'status_529'],
]);

/** The row of a provider's status. */
export function resultOfStatus(status: number): AttemptResult {
  return movingStatuses.get(status) ?? 'answered';
}

/** The row of what came of forwarding. */
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
