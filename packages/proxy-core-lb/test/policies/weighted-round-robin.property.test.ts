import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeadlineRotation } from '../../src/policies/deadline-rotation.ts';
import { createPool } from '../../src/policies/policy.ts';
import { RingRotation } from '../../src/policies/ring-rotation.ts';
import { tijdemanSchedule } from '../../src/policies/schedule.ts';
import { drawThenProbe, ignoresWeights, probesNeighbour } from '../bad-pickers.ts';
import { clusterSubject, counts, type MakeSubject, members, take } from '../subject.ts';

const roundRobin = clusterSubject('round_robin');
const START = { kind: 'start', offset: 0 } as const;

/** The first case keeps a table of turns, the second computes them one by one. */
const SHORT = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
const LONG = fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 3, maxLength: 5 });

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function reduce(weights: readonly number[]): number[] {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  const divisor = weights.reduce(gcd, 0);
  return weights.map((weight) => weight / divisor);
}

/** Every window of one revolution has exactly the weights. */
function expectExactWindows(
  picks: readonly (string | undefined)[],
  weights: Readonly<Record<string, number>>,
): void {
  const length = sum(Object.values(weights));
  const window = counts(picks.slice(0, length));
  expect(window).toEqual(weights);
  // Sliding by one keeps the counts exactly when what leaves is what enters.
  for (let n = length; n < picks.length; n++)
    if (picks[n] !== picks[n - length]) expect([n, picks[n]]).toBe('equal');
}

function byId(weights: readonly number[]): Record<string, number> {
  return Object.fromEntries(
    weights.flatMap((weight, i) => (weight === 0 ? [] : [[members(i + 1)[i]?.id, weight]])),
  );
}

/** P-B1: any window of one revolution gives each member exactly its weight, from any offset. */
function exactRevolutions(make: MakeSubject): void {
  for (let a = 1; a <= 5; a++) {
    for (let b = 1; b <= 5; b++) {
      for (let c = 1; c <= 5; c++) {
        const reduced = reduce([a, b, c]);
        for (let startOffset = 0; startOffset < sum(reduced); startOffset++) {
          const picks = take(make(members(3, [a, b, c]), { startOffset }), 2 * sum(reduced));
          expectExactWindows(picks, byId(reduced));
        }
      }
    }
  }
  const random = fc.property(fc.oneof(SHORT, LONG), fc.nat(), (weights, startOffset) => {
    const picks = take(make(members(weights.length, weights), { startOffset }), 2 * sum(weights));
    expectExactWindows(picks, byId(reduce(weights)));
  });
  fc.assert(random, { numRuns: 60 });
}

/** P-B3: while one member is out, each revolution of the others gives them exactly their weights. */
function exactWithoutOne(make: MakeSubject): void {
  const property = fc.property(fc.oneof(SHORT, LONG), fc.nat(), (weights, out) => {
    fc.pre(weights.length > 1);
    const reduced = reduce(weights);
    const others = reduced.map((weight, i) => (i === out % weights.length ? 0 : weight));
    const subject = make(members(weights.length, weights));
    const excluded = new Set([members(weights.length)[out % weights.length]?.id ?? '']);
    expectExactWindows(take(subject, 2 * sum(others), excluded), byId(others));
  });
  fc.assert(property, { numRuns: 60 });
}

/** P-B4, P-B5: only the ratio of weights counts, and equal weights are plain turns. */
function onlyRatios(make: MakeSubject): void {
  const property = fc.property(SHORT, fc.integer({ min: 1, max: 1000 }), (weights, factor) => {
    const scaled = weights.map((weight) => weight * factor);
    const n = weights.length;
    expect(take(make(members(n, scaled)), 200)).toEqual(take(make(members(n, weights)), 200));
    const equal = weights.map(() => factor);
    expect(take(make(members(n, equal)), 3 * n)).toEqual(take(make(members(n)), 3 * n));
  });
  fc.assert(property, { numRuns: 100 });
}

/** P-B8: over all start offsets, first picks are distributed as the weights: no "heaviest first" in a fleet. */
function fairStarts(make: MakeSubject): void {
  for (const weights of [
    [5, 1, 1],
    [3, 2],
    [7, 4, 2, 1],
    [450, 7, 3],
  ]) {
    const starts = Array.from({ length: sum(weights) }, (_, startOffset) =>
      make(members(weights.length, weights), { startOffset }).pick(),
    );
    const first = counts(starts);
    for (const [id, weight] of Object.entries(byId(weights))) {
      expect(first[id]).toBe(weight);
    }
  }
}

describe.each<[string, (make: MakeSubject) => void, MakeSubject[]]>([
  ['P-B1 exact revolutions', exactRevolutions, [ignoresWeights, drawThenProbe]],
  ['P-B3 exact while one is out', exactWithoutOne, [ignoresWeights, probesNeighbour]],
  ['P-B4, P-B5 only ratios', onlyRatios, [drawThenProbe]],
  ['P-B8 fair starts', fairStarts, [ignoresWeights]],
])('%s', (_name, property, planted) => {
  it('holds for round_robin', () => property(roundRobin), 60_000);

  it.each(planted.map((make) => [make.name, make] as const))('fails for the planted %s', (_, make) => {
    expectCaught(() => property(make));
  });
});

describe('P-B2 prefix deviation', () => {
  /** Largest distance between a count and the exact share, over one revolution. */
  function deviation(turns: Iterable<number>, weights: readonly number[]): number {
    const total = sum(weights);
    const got = weights.map(() => 0);
    let worst = 0;
    let t = 0;
    for (const index of turns) {
      t++;
      got[index] = (got[index] ?? 0) + 1;
      for (const [i, weight] of weights.entries()) {
        worst = Math.max(worst, Math.abs((got[i] ?? 0) - (t * weight) / total));
      }
    }
    return worst;
  }

  const bound = (n: number): number => (n < 2 ? 0 : 1 - 1 / (2 * n - 2)) + 1e-9;

  /** Earliest deadline from a common start, as many balancers do it. */
  function* naiveTurns(weights: readonly number[]): Generator<number> {
    const got = weights.map(() => 0);
    const due = (i: number): number => ((got[i] ?? 0) + 1) / (weights[i] ?? 1);
    for (let t = 0; t < sum(weights); t++) {
      const best = weights.reduce((a, _, i) => (due(i) < due(a) ? i : a), 0);
      got[best] = (got[best] ?? 0) + 1;
      yield best;
    }
  }

  it('is at most 1 - 1/(2n - 2) for every table', () => {
    const property = fc.property(SHORT, (list) => {
      const weights = reduce(list);
      const table = tijdemanSchedule(weights, sum(weights));
      expect(deviation(table, weights)).toBeLessThanOrEqual(bound(weights.length));
    });
    fc.assert(property, { numRuns: 300 });
    const lopsided = [100, ...Array.from({ length: 100 }, () => 1)];
    expect(deviation(tijdemanSchedule(lopsided, 200), lopsided)).toBeLessThanOrEqual(bound(101));
  });

  it('is below one where turns are computed', () => {
    const property = fc.property(fc.oneof(SHORT, LONG), (list) => {
      const weights = reduce(list);
      const rotation = new DeadlineRotation(createPool(members(weights.length).map(entry), weights), START);
      const turns = Array.from({ length: sum(weights) }, () => rotation.next());
      expect(deviation(turns, weights)).toBeLessThan(1);
    });
    fc.assert(property, { numRuns: 60 });
  });

  it('is broken by a naive earliest deadline', () => {
    const lopsided = [100, ...Array.from({ length: 100 }, () => 1)];
    expect(deviation(naiveTurns(lopsided), lopsided)).toBeGreaterThan(20);
  });
});

describe('P-B6 weight zero', () => {
  it('is drained, not unset and not one', () => {
    const picks = take(roundRobin(members(3, [2, 0, 1])), 30);
    expect(counts(picks)).toEqual({ m000: 20, m002: 10 });
  });

  it('on all endpoints leaves nothing to pick', () => {
    expect(roundRobin(members(3, [0, 0, 0])).pick()).toBeUndefined();
  });
});

describe('P-B9 the two ways to compute turns', () => {
  it('give the same counts per revolution', () => {
    const property = fc.property(SHORT, fc.nat(1000), (list, offset) => {
      const weights = reduce(list);
      const total = sum(weights);
      const pool = createPool(members(weights.length).map(entry), weights);
      const place = { kind: 'start', offset } as const;
      const table = new RingRotation(pool, tijdemanSchedule(weights, total), place);
      const computed = new DeadlineRotation(pool, place);
      for (const rotation of [table, computed]) {
        const got = weights.map(() => 0);
        for (let t = 0; t < total; t++) {
          const index = rotation.next();
          got[index] = (got[index] ?? 0) + 1;
        }
        expect(got).toEqual(weights);
      }
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('never round: one in a million is one in a million', () => {
    const subject = roundRobin(members(2, [1, 1_000_000]));
    expect(counts(take(subject, 1_000_001))).toEqual({ m000: 1, m001: 1_000_000 });
  });
});

function entry({ id }: { readonly id: string }): { id: string; active: number } {
  return { id, active: 0 };
}
