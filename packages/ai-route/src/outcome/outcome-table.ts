import type { AttemptOutcome, AttemptResult } from './attempt-outcome.ts';

/** What an attempt's result means for the decisions that follow. */
export interface OutcomeRule {
  /** Whether the next candidate is tried, while the limits on retries allow it. */
  readonly movesOn: boolean;
  /**
   * What it says of the candidate. `none`: nothing, since the error was made on this side. `ok once begun`: that it
   * serves, when the first byte had reached the client.
   */
  readonly health: 'ok' | 'failed' | 'none' | 'ok once begun';
  /** Whether a `Retry-After` that came with it says how long the candidate wants to be left alone. */
  readonly retryAfter: boolean;
  /**
   * What happens to the session's binding when the request ends with this result. `confirmed once begun`: when the
   * first byte of an `answered` response had reached the client, else dropped.
   */
  readonly binding: 'confirmed' | 'confirmed once begun' | 'dropped';
  /**
   * Whether a confirmed binding moves along when another candidate then succeeds. A single error status doesn't: the
   * provider is there, and so is what it remembers of the conversation.
   */
  readonly rebinds: boolean;
}

const refused: OutcomeRule = {
  movesOn: true,
  health: 'failed',
  retryAfter: false,
  binding: 'dropped',
  rebinds: false,
};
const throttled: OutcomeRule = { ...refused, retryAfter: true };
const unreachable: OutcomeRule = { ...refused, rebinds: true };
const final: OutcomeRule = { ...refused, movesOn: false };

/** The published outcome table: the only place that decides what an attempt's result leads to. The README shows it. */
export const OUTCOME_TABLE: Readonly<Record<AttemptResult, OutcomeRule>> = {
  // Every other status, 400, 404, 413 and 422 among them: the request's own fault, and no fault of the provider.
  answered: { ...final, health: 'ok', binding: 'confirmed' },
  status_429: throttled,
  status_500: refused,
  status_502: refused,
  status_503: throttled,
  status_504: refused,
  status_529: refused,
  connect_failed: unreachable,
  reset: unreachable,
  first_byte_timeout: unreachable,
  invalid_response: unreachable,
  no_endpoint: { ...unreachable, health: 'none' },
  local_error: { ...final, health: 'none' },
  broken: final,
  client_gone: { ...final, health: 'ok once begun', binding: 'confirmed once begun' },
};

/** All attempt results, in the table's order. */
export const ATTEMPT_RESULTS: readonly AttemptResult[] = Object.keys(OUTCOME_TABLE) as AttemptResult[];

/** Whether the outcome binds the session to the candidate. */
export function confirmsBinding({ result, begun = false }: AttemptOutcome): boolean {
  const { binding } = OUTCOME_TABLE[result];
  return binding === 'confirmed' || (binding === 'confirmed once begun' && begun);
}

/** What the outcome says of the candidate: `begun` that it began to serve and no more, `none` nothing. */
export function healthOf({ result, begun = false }: AttemptOutcome): 'ok' | 'begun' | 'failed' | 'none' {
  const { health } = OUTCOME_TABLE[result];
  if (health === 'ok once begun') return begun ? 'begun' : 'none';
  return health;
}
