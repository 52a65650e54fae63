import type { ViabilityPolicy } from '../health/viability-policy.ts';
import type { RetryPolicy } from '../retry/retry-policy.ts';
import type { OptionReader } from './option-reader.ts';

const VIABILITY_KEYS = [
  'enabled',
  'consecutiveFailures',
  'ejectionMs',
  'maxEjectionMs',
  'retryAfterMaxMs',
  'jitter',
];

const DAY_MS = 86_400_000;

/** When another attempt may follow a failed one. */
export function resolveRetry(reader: OptionReader): RetryPolicy {
  const retry = reader.section('retry', ['attempts', 'withinMs', 'budget']);
  const budget = retry.section('budget', ['ratio', 'minConcurrent']);
  return {
    attemptsMax: retry.integer('attempts', { min: 1, max: 100, fallback: 3 }),
    withinMs: retry.integer('withinMs', { min: 0, max: DAY_MS, fallback: 60_000 }),
    budget: {
      ratio: budget.number('ratio', { min: 0, max: 1, fallback: 0.2 }),
      minConcurrent: budget.integer('minConcurrent', { min: 0, max: 1_000_000, fallback: 10 }),
    },
  };
}

/** When a candidate that fails is left alone. */
export function resolveViability(reader: OptionReader): ViabilityPolicy {
  const viability = reader.section('viability', VIABILITY_KEYS);
  const policy = {
    enabled: viability.boolean('enabled', true),
    consecutiveFailures: viability.integer('consecutiveFailures', { min: 0, max: 10_000, fallback: 5 }),
    ejectionMs: viability.integer('ejectionMs', { min: 1, max: DAY_MS, fallback: 10_000 }),
    maxEjectionMs: viability.integer('maxEjectionMs', { min: 1, max: DAY_MS, fallback: 300_000 }),
    retryAfterMaxMs: viability.integer('retryAfterMaxMs', { min: 0, max: DAY_MS, fallback: 60_000 }),
    jitter: viability.number('jitter', { min: 0, max: 1, fallback: 0.2 }),
  };
  if (policy.maxEjectionMs < policy.ejectionMs)
    viability.report(
      'maxEjectionMs',
      `is less than ejectionMs, ${policy.ejectionMs}: the longest comes before the first`,
    );
  return policy;
}
