import { sameCounts } from '@switchyard/demo-kit';
import type { ProofEntry, VerdictDocument } from '@switchyard/trace-view';
import type { DemoPolicy, Results } from '../records/types.ts';

/** What a split that a policy promises is called. */
const SPLITS: Readonly<Record<DemoPolicy, string>> = {
  round_robin: 'exact',
  random: 'drawn at random',
  deterministic: 'all to the first',
};

/**
 * The verdict of a judged run, as the page shows it.
 *
 * @param open - Providers that took new requests; default: all of them.
 */
export function judgedVerdict(results: Results, open?: readonly string[]): VerdictDocument {
  return {
    ...judged(results, open ?? Object.keys(results.counts.client)),
    counts: results.counts,
    proofs: results.proofs.map(({ id, title, passed, summary, facts }): ProofEntry => {
      return { id, title, state: passed ? 'holds' : 'fails', summary, facts };
    }),
  };
}

function judged(
  { passed, policy, counts, requests }: Results,
  open: readonly string[],
): Pick<VerdictDocument, 'state' | 'split'> {
  if (passed) return { state: 'passed', split: SPLITS[policy] };
  const all = Object.keys(counts.client);
  const shares = open.map((provider) => counts.client[provider] ?? 0);
  const even =
    Math.max(...shares) - Math.min(...shares) <= 1 && shares.reduce((a, b) => a + b, 0) === requests;
  const agree = sameCounts(counts.client, counts.gateway) && sameCounts(counts.client, counts.backend);
  // Whoever took a provider out broke the promise of three, and should see that the rest still keep theirs.
  return policy === 'round_robin' && open.length > 0 && open.length < all.length && even && agree
    ? { state: 'changed', split: `exact over ${open.length} of ${all.length}` }
    : { state: 'failed', split: null };
}
