import type { RetryRefusalReason } from '../decision.ts';

/** How often an attempt that failed could not be followed by another, by reason. */
export type RetryRefusals = Record<Exclude<RetryRefusalReason, 'not_retryable'>, number>;

/** Nothing refused yet. */
export function noRefusals(): RetryRefusals {
  return {
    not_replayable: 0,
    attempts_exhausted: 0,
    too_slow: 0,
    budget_exhausted: 0,
    no_viable_candidate: 0,
  };
}
