import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCandidates, type OrderableCandidate, sortCandidates } from '../../src/index.ts';
import { deduplicate } from '../../src/order/deduplicate.ts';
import { candidate, expectFault, identity, withPermutation } from '../support/candidates.ts';

type Deduplicate = (list: readonly OrderableCandidate[]) => OrderableCandidate[];

const compare = compareCandidates('geographyFirst');
const real: Deduplicate = (list) => deduplicate(list, compare);

/** Sorts, then drops an entry only when it equals the one before it. */
const adjacentOnly: Deduplicate = (list) =>
  sortCandidates(list, 'geographyFirst').filter((entry, index, all) => {
    const previous = all[index - 1];
    return previous === undefined || identity(previous) !== identity(entry);
  });

const firstOne: Deduplicate = (list) => [
  ...new Map([...list].reverse().map((entry) => [identity(entry), entry])).values(),
];

/** One per identity, the best of its kin, whatever the order. */
function keepsTheBest(dedup: Deduplicate): fc.IProperty<unknown> {
  const lists = fc.array(candidate, { maxLength: 20 });
  return fc.property(withPermutation(lists), ([list, shuffled]) => {
    const kept = dedup(list);
    expect(new Set(kept.map(identity)).size).toBe(kept.length);
    expect(new Set(kept.map(identity))).toEqual(new Set(list.map(identity)));
    for (const entry of list) {
      const winner = kept.find((other) => identity(other) === identity(entry));
      expect(winner !== undefined && compare(winner, entry) <= 0).toBe(true);
    }
    const again = sortCandidates(dedup(shuffled), 'geographyFirst');
    expect(again.map(identity)).toEqual(sortCandidates(kept, 'geographyFirst').map(identity));
  });
}

describe('deduplicate', () => {
  it('keeps the best of each identity', () => fc.assert(keepsTheBest(real), { numRuns: 1000 }));

  it('dropping neighbours only is caught', () => {
    expectFault(keepsTheBest(adjacentOnly));
  });
  it('keeping the first is caught', () => {
    expectFault(keepsTheBest(firstOne));
  });
});
