import { expectCaught, seededRandom } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { boundedDraw, systemRandom } from '../../src/random.ts';
import { drawThenProbe, firstTie, ignoresWeights } from '../bad-pickers.ts';
import { clusterSubject, counts, type MakeSubject, members, take } from '../subject.ts';

const random = clusterSubject('random');

/** A source that gives these values, then fails. */
function scripted(values: Iterable<number>): () => number {
  const iterator = values[Symbol.iterator]();
  return () => {
    const step = iterator.next();
    if (step.done === true) throw new Error('the script has ended');
    return step.value;
  };
}

function* range(end: number): Generator<number> {
  for (let value = 0; value < end; value++) yield value;
}

describe('P-C1 bounded draw', () => {
  type Draw = (source: () => number, bound: number, width: number) => number;

  /** Feeds the whole range of a narrow source: each result must come equally often. */
  function exactlyEqual(draw: Draw): void {
    for (let bound = 1; bound <= 256; bound++) {
      const got = new Map<number, number>();
      const source = scripted(range(256));
      for (let n = 0; n < 256 - (256 % bound); n++) {
        const value = draw(source, bound, 256);
        got.set(value, (got.get(value) ?? 0) + 1);
      }
      expect([...got.keys()].sort((a, b) => a - b)).toEqual([...range(bound)]);
      expect(new Set(got.values()).size).toBe(1);
    }
  }

  /** Values that must be drawn again, put first; fewer than would count as a stuck source. */
  function rejectsTail(draw: Draw): void {
    for (let bound = 2; bound <= 255; bound++) {
      const tail = 256 % bound;
      const source = scripted([...Array.from({ length: Math.min(tail, 50) }, (_, i) => 255 - i), bound - 1]);
      if (tail > 0) expect(draw(source, bound, 256)).toBe(bound - 1);
    }
  }

  const biased: Draw = (source, bound) => source() % bound;

  it('is exact over the whole source', () => {
    exactlyEqual(boundedDraw);
    rejectsTail(boundedDraw);
  });

  it('a plain remainder is not', () => {
    expectCaught(() => rejectsTail(biased));
  });

  it('P-C4: takes the ends of the range, and ends with a stuck source', () => {
    expect(boundedDraw(() => 0, 3)).toBe(0);
    expect(boundedDraw(() => 2 ** 32 - 1, 2 ** 32)).toBe(2 ** 32 - 1);
    const stuck = boundedDraw(() => 2 ** 32 - 1, 3);
    expect([0, 1, 2]).toContain(stuck);
  });
});

/** P-C1: every ticket goes to exactly one member, in proportion to the weights. */
function exactWeights(make: MakeSubject): void {
  for (const weights of [
    [1, 1, 1],
    [1, 2, 3],
    [5, 0, 1, 4],
    [1000, 1],
  ]) {
    const total = weights.reduce((a, b) => a + b, 0);
    const subject = make(members(weights.length, weights), { random: scripted(range(total)) });
    const expected = weights.flatMap((weight, i) => (weight === 0 ? [] : [[members(9)[i]?.id, weight]]));
    expect(counts(take(subject, total))).toEqual(Object.fromEntries(expected));
  }
}

/** P-C2: chi-squared over many picks; six deviations above its mean. */
function uniform(make: MakeSubject): void {
  for (const n of [3, 16, 128]) {
    const subject = make(members(n), { random: seededRandom(n) });
    expectUniform(take(subject, n * 2000), n);
  }
}

/** P-C3: uniform over those that may be picked, when one is drained or excluded. */
function uniformOverViable(make: MakeSubject): void {
  const drained = members(8).map((member, i) => ({ ...member, weight: i === 3 ? 0 : 1 }));
  expectUniform(take(make(drained, { random: seededRandom(1) }), 14_000), 7);
  const excluded = new Set(['m003']);
  expectUniform(take(make(members(8), { random: seededRandom(2) }), 14_000, excluded), 7);
}

function expectUniform(picks: readonly (string | undefined)[], n: number): void {
  const fair = picks.length / n;
  const values = Object.values(counts(picks));
  expect(values).toHaveLength(n);
  const chiSquared = values.reduce((sum, value) => sum + (value - fair) ** 2 / fair, 0);
  expect(chiSquared).toBeLessThan(n - 1 + 6 * Math.sqrt(2 * (n - 1)));
}

describe.each<[string, (make: MakeSubject) => void, MakeSubject[]]>([
  ['P-C1 exact weights', exactWeights, [ignoresWeights, drawThenProbe]],
  ['P-C2 uniform', uniform, [firstTie]],
  ['P-C3 uniform over the viable', uniformOverViable, [drawThenProbe]],
])('%s', (_name, property, planted) => {
  it('holds for random', () => property(random));

  it.each(planted.map((make) => [make.name, make] as const))('fails for the planted %s', (_, make) => {
    expectCaught(() => property(make));
  });
});

it('P-C4: extreme values pick an endpoint', () => {
  for (const value of [0, 1, 2 ** 31, 2 ** 32 - 1]) {
    for (const weights of [
      [1, 1, 1],
      [3, 2, 1_000_000],
    ]) {
      const subject = random(members(3, weights), { random: () => value });
      expect(subject.pick()).toBeDefined();
      expect(subject.pick(new Set(['m001']))).toBeDefined();
    }
  }
});

it('P-C5: retries draw without replacement, each order equally likely', () => {
  const orders: string[] = [];
  const subject = random(members(3), { random: seededRandom(5) });
  for (let n = 0; n < 12_000; n++) {
    const tried = new Set<string>();
    for (let attempt = 0; attempt < 3; attempt++) tried.add(subject.pick(tried) ?? 'none');
    expect(tried.size).toBe(3);
    orders.push([...tried].join());
  }
  expectUniform(orders, 6);
});

it('systemRandom differs from one source to the next, and stays in 32 bits', () => {
  const [a, b] = [systemRandom(), systemRandom()];
  const draws = Array.from({ length: 20 }, () => [a(), b()] as const);
  expect(draws.some(([x, y]) => x !== y)).toBe(true);
  for (const [x] of draws) expect(x >>> 0).toBe(x);
});
