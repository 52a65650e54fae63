import type { ProofEntry, VerdictDocument } from '@switchyard/trace-view';
import type { DemoPolicy, Results } from '../records/types.ts';

/** What a split that a policy promises is called. */
const SPLITS: Readonly<Record<DemoPolicy, string>> = {
  round_robin: 'exact',
  random: 'drawn at random',
  deterministic: 'all to the first',
};

/** The verdict of a judged run, as the page shows it. */
export function judgedVerdict(results: Results): VerdictDocument {
  const { passed, counts, policy } = results;
  return {
    state: passed ? 'passed' : 'failed',
    split: passed ? SPLITS[policy] : null,
    counts,
    proofs: results.proofs.map(({ id, title, passed: holds, summary, facts }): ProofEntry => {
      return { id, title, state: holds ? 'holds' : 'fails', summary, facts };
    }),
  };
}
