import type { RetryRefusalReason } from '../decision.ts';

/** How often another attempt was asked for and refused, by reason. */
export type RetryRefusals = Record<RetryRefusalReason, number>;

/** Nothing refused yet. */
export function noRefusals(): RetryRefusals {
  return {
    not_retryable: 0,
    not_replayable: 0,
    attempts_exhausted: 0,
    too_slow: 0,
    budget_exhausted: 0,
    no_viable_candidate: 0,
  };
}
