import { type Counts, type Proof, sameCounts } from '@switchyard/demo-kit';
import type { DemoPolicy, Records } from '../records/types.ts';
import { publishedPolicy } from './control-plane.ts';

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
/** Below this many requests a random sequence may well be a cycle by luck; one of 14 is once in 3^13 = 1.6 million. */
const CYCLE_TEST_MIN = 14;

/**
 * Proof 3: the order of the providers is the one that the policy promises, the records stand in the order in which the
 * gateway received the requests, and both the overlay and every answer name that policy.
 */
export function proveSequence(records: Records): Proof {
  const proof = judgeSequence(records);
  const { requests, overlay, observations } = records;
  const disorder = firstOutOfOrder(records);
  const policies = [...new Set([publishedPolicy(overlay), ...requests.map((request) => request.policy)])];
  const problems = [
    ...(disorder === null ? [] : [`record ${disorder + 1} is not in the order of the gateway's spans`]),
    ...(policies.length === 1 && policies[0] === observations.policy
      ? []
      : [`overlay and answers name the policies ${policies.join(', ')}`]),
  ];
  return {
    ...proof,
    passed: proof.passed && problems.length === 0,
    summary: [proof.summary, ...problems].join('; '),
    facts: { ...proof.facts, policies, firstOutOfOrder: disorder },
  };
}

/** Index of the first record that is not number n + 1, or that the gateway received before its predecessor; else null. */
function firstOutOfOrder({ requests, spans }: Records): number | null {
  const received = new Map(
    spans
      .filter((span) => span.service === 'consumer-gateway' && span.kind === 'server')
      .map((span) => [span.traceId, span.startNs]),
  );
  let last = 0n;
  for (const [index, { n, traceId }] of requests.entries()) {
    // A span that is missing is the traces' proof to tell.
    const at = received.get(traceId) ?? last;
    if (n !== index + 1 || at < last) return index;
    last = at;
  }
  return null;
}

function judgeSequence({ requests, observations }: Records): Proof {
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
