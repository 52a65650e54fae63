import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CandidateComparator,
  compareCandidates,
  type OrderableCandidate,
  type RoutingPolicy,
  sortCandidates,
} from '../../src/index.ts';
import {
  candidate,
  distinctCandidates,
  expectFault,
  identity,
  policies,
  triple,
  withPermutation,
} from '../support/candidates.ts';

type MakeComparator = (policy: RoutingPolicy) => CandidateComparator;

const ids = (list: readonly OrderableCandidate[]): string[] => list.map(identity);

/** P-G2: the sorted list is one and the same for every order of the input. */
function ignoresInputOrder(make: MakeComparator): fc.IProperty<unknown> {
  return fc.property(
    withPermutation(distinctCandidates),
    fc.constantFrom(...policies),
    ([list, shuffled], policy) => {
      const sort = (input: readonly OrderableCandidate[]): string[] => ids([...input].sort(make(policy)));
      expect(sort(shuffled)).toEqual(sort(list));
    },
  );
}

/** P-G3: antisymmetric, transitive, and zero for the same ranking and identity only. */
function isTotalOrder(make: MakeComparator): fc.IProperty<unknown> {
  return fc.property(triple, fc.constantFrom(...policies), (members, policy) => {
    const compare = make(policy);
    const sign = (left: OrderableCandidate, right: OrderableCandidate): number =>
      Math.sign(compare(left, right));
    for (const a of members) {
      for (const b of members) {
        expect(sign(a, b) + sign(b, a)).toBe(0);
        expect(sign(a, b) === 0).toBe(canonical(a) === canonical(b));
        for (const c of members)
          if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0);
      }
    }
  });
}

/** Candidates that differ in their site only come in the order of its bytes. */
function sortsSitesByBytes(make: MakeComparator): fc.IProperty<unknown> {
  return fc.property(
    candidate,
    fc.uniqueArray(fc.constantFrom('a', 'B', 'ä', '\u{1f600}', '｡')),
    (base, sites) => {
      const list = sites.map((site) => ({ ...base, site }));
      const bytes = [...sites].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
      expect(list.sort(make('scoreFirst')).map(({ site }) => site)).toEqual(bytes);
    },
  );
}

/** What two candidates must share to be equal in the order: NaN and missing are one, so are the two zeroes. */
function canonical(entry: OrderableCandidate): string {
  const { admissionState, selectionTier, fresh, score } = entry;
  const value = score === undefined || Number.isNaN(score) ? 'none' : String(score + 0);
  return JSON.stringify([identity(entry), admissionState, selectionTier, fresh, value]);
}

const noScore = -1;
const scoreOf = ({ score }: OrderableCandidate): number =>
  score === undefined || Number.isNaN(score) ? noScore : Math.min(score, 2);

/** The real order up to the score, then scores within a tolerance counted as equal. */
const epsilon: MakeComparator = (policy) => (left, right) => {
  const close = Math.abs(scoreOf(left) - scoreOf(right)) <= 0.05;
  const { score: _left, ...a } = left;
  const { score: _right, ...b } = right;
  return compareCandidates(policy)(close ? a : left, close ? b : right);
};

const withoutKind: MakeComparator = (policy) => (left, right) =>
  compareCandidates(policy)({ ...left, kind: 'mcp_tool' }, { ...right, kind: 'mcp_tool' });

const localeOrder: MakeComparator = (policy) => (left, right) => {
  const blank = { site: '', name: '', cluster: '', kind: 'mcp_tool' as const };
  return (
    compareCandidates(policy)({ ...left, ...blank }, { ...right, ...blank }) ||
    left.site.localeCompare(right.site) ||
    left.name.localeCompare(right.name) ||
    left.cluster.localeCompare(right.cluster) ||
    left.kind.localeCompare(right.kind)
  );
};

const rawScores: MakeComparator = (policy) => (left, right) =>
  (right.score ?? 0) - (left.score ?? 0) || compareCandidates(policy)(left, right);

const runs = { numRuns: 1000 };

describe('compareCandidates', () => {
  it('gives one order for every permutation (P-G2)', () =>
    fc.assert(ignoresInputOrder(compareCandidates), runs));
  it('is a total order (P-G3)', () => fc.assert(isTotalOrder(compareCandidates), runs));
  it('sorts texts by bytes', () => fc.assert(sortsSitesByBytes(compareCandidates), runs));

  it('an order without kind is caught', () => {
    expectFault(ignoresInputOrder(withoutKind));
    expectFault(isTotalOrder(withoutKind));
  });
  it('scores compared with a tolerance are caught', () => {
    expectFault(isTotalOrder(epsilon));
  });
  it('scores subtracted without regard to NaN are caught', () => {
    expectFault(isTotalOrder(rawScores));
  });
  it('a locale collation is caught', () => {
    expectFault(sortsSitesByBytes(localeOrder));
  });
});

describe('sortCandidates', () => {
  it('agrees with the comparator and leaves its input alone', () => {
    fc.assert(
      fc.property(distinctCandidates, fc.constantFrom(...policies), (list, policy) => {
        const before = ids(list);
        expect(sortCandidates(list, policy)).toEqual([...list].sort(compareCandidates(policy)));
        expect(ids(list)).toEqual(before);
      }),
      runs,
    );
  });
});
