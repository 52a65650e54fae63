import type { Counts, DemoPolicy, Proof, Records } from '../records/types.ts';
import { sameCounts } from './counts.ts';

/** The three independent counts of one run. */
export interface ThreeCounts {
  readonly client: Counts;
  readonly gateway: Counts;
  readonly backend: Counts;
}

/**
 * Critical value of Pearson's chi-square with 2 degrees of freedom at p = 10^-6, which is -2 ln(10^-6):
 * a correct random policy fails this proof once in a million runs.
 */
const CHI_SQUARE_LIMIT = 27.63;
/** Below this many requests a random sequence may well look like a cycle by luck (3^-9 and less above). */
const CYCLE_TEST_MIN = 12;

/** Proof 3: the order of the providers is the one that the policy promises. */
export function proveSequence({ requests, observations }: Records): Proof {
  const sequence = requests.map((request) => request.provider);
  const order = Object.keys(observations.backends).sort();
  const cycle = firstBreakOfCycle(sequence, order);
  const facts = { sequence: sequence.slice(0, 9), cycle: order, firstBreak: cycle };
  const begins = sequence.slice(0, 6).map(letter).join(' ');
  const summary = `begins ${begins}; ${cycle === null ? 'the cycle never breaks' : `request ${cycle + 1} breaks the cycle`}`;
  switch (observations.policy) {
    case 'round_robin':
      return {
        id: 'sequence',
        title: `The sequence repeats ${letters(order)}`,
        passed: cycle === null,
        summary,
        facts,
      };
    case 'deterministic':
      return {
        id: 'sequence',
        title: 'Every request goes to the first provider in order',
        passed: sequence.length > 0 && sequence.every((provider) => provider === order[0]),
        summary: `begins ${begins}; first in order is ${order[0]}`,
        facts: { sequence: sequence.slice(0, 9), first: order[0] },
      };
    case 'random':
      return {
        id: 'sequence',
        title: 'The sequence is drawn, not a cycle',
        passed: requests.length < CYCLE_TEST_MIN || cycle !== null,
        summary,
        facts,
      };
  }
}

/** Proof 4: the split is the one that the policy promises, and the three counts agree on it. */
export function proveSplit({ requests, observations }: Records, counts: ThreeCounts): Proof {
  const agree = sameCounts(counts.client, counts.gateway) && sameCounts(counts.client, counts.backend);
  const providers = Object.keys(observations.backends).sort();
  const shares = providers.map((provider) => counts.client[provider] ?? 0);
  const split = judgeShares(observations.policy, shares, requests.length);
  const complete =
    requests.length === observations.requested && shares.reduce((a, b) => a + b, 0) === requests.length;
  return {
    id: 'split',
    title: `${requests.length} requests split ${shares.join('/')}, counted three ways`,
    passed: agree && complete && split.passed,
    summary: `client ${sharesOf(counts.client)}, gateway spans ${sharesOf(counts.gateway)}, backend logs ${sharesOf(counts.backend)}; expected ${split.expected}`,
    facts: { expected: split.expected, ...counts, countsAgree: agree, requested: observations.requested },
  };
}

function judgeShares(
  policy: DemoPolicy,
  shares: readonly number[],
  requests: number,
): { passed: boolean; expected: string } {
  const mean = requests / shares.length;
  switch (policy) {
    case 'round_robin':
      return {
        passed: shares.every((share) => share === Math.floor(mean) || share === Math.ceil(mean)),
        expected: Number.isInteger(mean)
          ? `exactly ${mean} each`
          : `${Math.floor(mean)} or ${Math.ceil(mean)} each`,
      };
    case 'deterministic':
      return { passed: shares[0] === requests, expected: 'all to the first' };
    case 'random': {
      const chiSquare = shares.reduce((sum, share) => sum + (share - mean) ** 2 / mean, 0);
      return {
        passed: chiSquare < CHI_SQUARE_LIMIT,
        expected: `uniform: chi-square ${chiSquare.toFixed(2)} < ${CHI_SQUARE_LIMIT}`,
      };
    }
  }
}

/** Index of the first request that breaks the cycle through `order`, started anywhere; null when none does. */
function firstBreakOfCycle(sequence: readonly (string | null)[], order: readonly string[]): number | null {
  const start = order.indexOf(sequence[0] ?? '');
  if (start < 0) return 0;
  const at = sequence.findIndex((provider, index) => provider !== order[(start + index) % order.length]);
  return at < 0 ? null : at;
}

function letters(order: readonly string[]): string {
  return order.map(letter).join(', ');
}

/** `provider-a` is A. */
function letter(provider: string | null): string {
  return (provider?.split('-').at(-1) ?? 'none').toUpperCase();
}

function sharesOf(counts: Counts): string {
  return Object.values(counts).join('/');
}
