import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterSubject, counts, type MakeSubject, members, take } from '../subject.ts';

const roundRobin = clusterSubject('round_robin');

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

describe('frequent updates', () => {
  const many = [...Array.from({ length: 100 }, () => 128), ...Array.from({ length: 10 }, () => 10)];
  const cases = [[3, 1], [5, 3, 2, 7], [100, 1, 1, 1, 1, 1], [1, 5000, 7], many];

  /** Shares of the members that stay, while another comes and goes every few picks. */
  function sharesHold(make: MakeSubject, weights: readonly number[], every: number): void {
    const stay = members(weights.length, weights);
    const flapping = [...stay, { id: 'm000x', weight: Math.max(...weights) }];
    const subject = make(stay);
    const picked: Record<string, number> = {};
    for (let t = 0; t < 10_000; t++) {
      if (t % every === 0) subject.update(t % (2 * every) === 0 ? flapping : stay);
      const id = subject.pick();
      if (id !== undefined) picked[id] = (picked[id] ?? 0) + 1;
    }
    const total = sum(stay.map(({ id }) => picked[id] ?? 0));
    for (const { id, weight = 1 } of stay) {
      const fair = (total * weight) / sum(weights);
      expect(Math.abs((picked[id] ?? 0) - fair)).toBeLessThanOrEqual(0.05 * fair + 2);
    }
  }

  it.each([1, 3, 20])(
    'keep the shares when endpoints change every %i picks',
    (every) => {
      for (const weights of cases) sharesHold(roundRobin, weights, every);
    },
    60_000,
  );

  it('starve light endpoints when each update starts the turns again', () => {
    const restarts: MakeSubject = (initial, options) => {
      let inner = roundRobin(initial, options);
      return {
        pick: (excluded) => inner.pick(excluded),
        update: (next) => {
          inner = roundRobin(next, options);
        },
      };
    };
    expectCaught(() => sharesHold(restarts, many, 20));
  });
});

describe('a change of weights', () => {
  const LIST = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 3, maxLength: 3 });

  /** Counts of each revolution of the new weights, over `revolutions` of them. */
  function afterChange(before: readonly number[], after: readonly number[], picks: number): number[][] {
    const subject = roundRobin(members(3, before));
    take(subject, picks);
    subject.update(members(3, after));
    return Array.from({ length: 3 }, () => {
      const got = counts(take(subject, sum(after)));
      return members(3).map(({ id }) => got[id] ?? 0);
    });
  }

  it('gives exact revolutions at once where turns are kept in a table', () => {
    const property = fc.property(LIST, LIST, fc.nat(100), (before, after, picks) => {
      for (const got of afterChange(before, after, picks)) expect(got).toEqual(after);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('gives exact revolutions after the first, which is two off at most, where turns are computed', () => {
    const long = LIST.map((list) => list.map((weight) => weight * 100 + 1));
    const property = fc.property(long, long, fc.nat(5000), (before, after, picks) => {
      const [first = [], ...later] = afterChange(before, after, picks);
      for (const [i, count] of first.entries()) {
        expect(Math.abs(count - (after[i] ?? 0))).toBeLessThanOrEqual(2);
      }
      for (const got of later) expect(got).toEqual(after);
    });
    fc.assert(property, { numRuns: 60 });
  });
});
