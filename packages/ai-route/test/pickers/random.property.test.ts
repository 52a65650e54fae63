import { seededRandom } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { Picker } from '../../src/pickers/picker.ts';
import { RandomPicker } from '../../src/pickers/random.ts';
import { WeightedRandomPicker } from '../../src/pickers/weighted-random.ts';
import { createDraw, type Draw, sfc32, splitRandom } from '../../src/random.ts';
import { MemberSet } from '../../src/snapshot/member-set.ts';

type MakePicker = (draw: Draw, weights: readonly number[]) => Picker;

const uniform: MakePicker = (draw) => new RandomPicker(draw);
const weighted: MakePicker = (draw, weights) => new WeightedRandomPicker(weights, draw);

/** Wrong: draws among all members and steps on to the next open one. */
const probeNext: MakePicker = (draw, weights) => ({
  pick(open) {
    if (open.size === 0) return -1;
    let position = draw(weights.length);
    while (!open.has(position)) position = (position + 1) % weights.length;
    return position;
  },
  peek: () => -1,
  position: () => undefined,
});

/** Wrong: takes the remainder without refusing the top of the range. */
const remainder =
  (random: () => number): Draw =>
  (bound) =>
    random() % bound;

const RANGE = 97;

/**
 * How often each member is picked when the source gives each of its values exactly once. Draws that refuse a value get
 * the next one, so exactly the refused values are missing from the total.
 */
function enumerate(
  make: MakePicker,
  weights: readonly number[],
  options: { closed?: number; draw?: typeof remainder },
) {
  let value = 0;
  let refused = false;
  const source = (): number => {
    refused = value >= RANGE;
    return value++ % RANGE;
  };
  const draw = options.draw?.(source) ?? createDraw(source, RANGE);
  const open = new MemberSet(weights.length, (i) => i !== options.closed);
  const picker = make(draw, weights);
  const counts = new Array<number>(weights.length).fill(0);
  while (value < RANGE) {
    const picked = picker.pick(open);
    if (!refused) counts[picked] = (counts[picked] ?? 0) + 1;
  }
  return counts;
}

/** Whether counts are exactly in proportion to the weights of the open members. */
function exact(counts: readonly number[], weights: readonly number[], closed?: number): boolean {
  const shares = weights.map((weight, i) => (i === closed ? 0 : weight));
  const unit = (counts.find((_, i) => i !== closed) ?? 0) / (shares.find((share) => share > 0) ?? 1);
  return unit > 0 && counts.every((count, i) => count === unit * (shares[i] ?? 0));
}

/** Chi-squared over the degrees of freedom, in standard deviations from its mean of 1. */
function chiSquareSigmas(counts: readonly number[], expected: readonly number[]): number {
  const freedom = expected.filter((count) => count > 0).length - 1;
  let chi = 0;
  for (const [i, count] of counts.entries()) {
    const wanted = expected[i] ?? 0;
    if (wanted > 0) chi += (count - wanted) ** 2 / wanted;
  }
  return (chi - freedom) / Math.sqrt(2 * freedom);
}

describe('P-C1: every value of the source once gives every open member exactly its share', () => {
  const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 16, 48];

  it.each(SIZES)('%d members, all open or one closed', (size) => {
    const equal = new Array<number>(size).fill(1);
    const mixed = equal.map((_, i) => (i % 3) + 1).slice(0, 40);
    for (const closed of size > 1 ? [undefined, 0, size >> 1, size - 1] : [undefined]) {
      const options = closed === undefined ? {} : { closed };
      expect(exact(enumerate(uniform, equal, options), equal, closed)).toBe(true);
      if (closed !== undefined && closed >= mixed.length) continue;
      expect(exact(enumerate(weighted, mixed, options), mixed, closed)).toBe(true);
    }
  });

  it('is violated by a plain remainder', () => {
    const equal = [1, 1, 1, 1, 1, 1, 1];
    expect(exact(enumerate(uniform, equal, { draw: remainder }), equal)).toBe(false);
  });

  it('is violated by drawing among all and stepping on to the next open one', () => {
    const equal = [1, 1, 1, 1, 1, 1, 1, 1];
    expect(exact(enumerate(probeNext, equal, { closed: 3 }), equal, 3)).toBe(false);
  });
});

describe('P-C2, P-C3: statistics with fixed seeds', () => {
  const sigmas = (make: MakePicker, size: number, closed?: number): number => {
    const open = new MemberSet(size, (i) => i !== closed);
    const picker = make(createDraw(seededRandom(size)), new Array<number>(size).fill(1));
    const counts = new Array<number>(size).fill(0);
    for (let i = 0; i < 20_000 * open.size; i++) {
      const picked = picker.pick(open);
      counts[picked] = (counts[picked] ?? 0) + 1;
    }
    return chiSquareSigmas(
      counts,
      counts.map((_, i) => (open.has(i) ? 20_000 : 0)),
    );
  };

  it.each([3, 16, 128])('%d members are equally likely', (size) => {
    expect(sigmas(uniform, size)).toBeLessThan(5);
    expect(sigmas(weighted, size)).toBeLessThan(5);
  });

  it('seven of eight are equally likely with one closed', () => {
    expect(sigmas(uniform, 8, 3)).toBeLessThan(5);
    expect(sigmas(weighted, 8, 3)).toBeLessThan(5);
    expect(sigmas(probeNext, 8, 3)).toBeGreaterThan(100);
  });
});

describe('P-C4: every value a source can give is safe', () => {
  it.each([0, 1, 2 ** 31, 2 ** 32 - 1])('%d, for ever', (value) => {
    for (let size = 1; size <= 9; size++) {
      const open = new MemberSet(size, () => true);
      const draw = createDraw(() => value);
      expect(open.has(uniform(draw, []).pick(open))).toBe(true);
      expect(open.has(weighted(draw, new Array<number>(size).fill(3)).pick(open))).toBe(true);
    }
  });

  it('nobody open means nobody picked', () => {
    const none = new MemberSet(3, () => false);
    const draw = createDraw(sfc32([1, 2, 3, 4]));
    expect(uniform(draw, []).pick(none)).toBe(-1);
    expect(weighted(draw, [1, 1, 1]).pick(none)).toBe(-1);
  });
});

describe('the default source', () => {
  it('gives the same sequence for the same seed, and another for a stream split from it', () => {
    const take = (random: () => number): number[] => Array.from({ length: 5 }, random);
    expect(take(sfc32([1, 2, 3, 4]))).toEqual(take(sfc32([1, 2, 3, 4])));
    expect(take(splitRandom(sfc32([1, 2, 3, 4])))).not.toEqual(take(sfc32([1, 2, 3, 4])));
  });
});
