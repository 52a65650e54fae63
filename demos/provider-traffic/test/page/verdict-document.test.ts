import { describe, expect, it } from 'vitest';
import { judgedVerdict } from '../../src/page/verdict-document.ts';
import { judge } from '../../src/proofs/judge.ts';
import { goodRun, PROVIDERS } from '../good-run.ts';

const without = (provider: string): string[] => PROVIDERS.filter((name) => name !== provider);
/** A run in which A and C took turns; `unfair` gives A one turn more than its share, twice. */
const twoOfThree = (unfair: boolean) =>
  judge(goodRun(60, (n) => (unfair && n < 4 ? 'provider-a' : n % 2 === 0 ? 'provider-a' : 'provider-c')));

describe('the verdict on the page', () => {
  it('is exact when all proofs hold, each with its facts', () => {
    const verdict = judgedVerdict(judge(goodRun()));
    expect(verdict).toMatchObject({ state: 'passed', split: 'exact' });
    expect(verdict.proofs).toHaveLength(8);
    expect(verdict.proofs.every(({ state, summary }) => state === 'holds' && summary !== '')).toBe(true);
  });

  it('is exact over those that were open when somebody took one out, and the proofs of three fail', () => {
    const verdict = judgedVerdict(twoOfThree(false), without('provider-b'));
    expect(verdict).toMatchObject({ state: 'changed', split: 'exact over 2 of 3' });
    expect(verdict.proofs.some(({ state }) => state === 'fails')).toBe(true);
  });

  it('is not proven when the others did not share evenly, or nobody took one out', () => {
    expect(judgedVerdict(twoOfThree(true), without('provider-b'))).toMatchObject({
      state: 'failed',
      split: null,
    });
    expect(judgedVerdict(twoOfThree(false))).toMatchObject({ state: 'failed', split: null });
  });
});
