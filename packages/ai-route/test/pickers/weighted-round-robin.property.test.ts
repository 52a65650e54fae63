import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPicker, SCHEDULE_LENGTH_MAX } from '../../src/pickers/create-picker.ts';
import { DeadlineRoundRobinPicker } from '../../src/pickers/deadline-round-robin.ts';
import type { Picker, TurnStart } from '../../src/pickers/picker.ts';
import { RoundRobinPicker } from '../../src/pickers/round-robin.ts';
import { evenSchedule, reduceWeights } from '../../src/pickers/schedule.ts';
import { WeightedRoundRobinPicker } from '../../src/pickers/weighted-round-robin.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { MemberSet } from '../../src/snapshot/member-set.ts';
import { candidate, groupsOf, overlayWith } from '../support/rotation.ts';

type Engine = new (
  members: ReturnType<typeof membersOf>,
  weights: readonly number[],
  start: TurnStart,
) => Picker;

const ENGINES: [string, Engine][] = [
  ['the schedule', WeightedRoundRobinPicker],
  ['the deadlines', DeadlineRoundRobinPicker],
];

const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }).map(reduceWeights);

/** Wrong: serves each member's whole weight in one block, restarting its count with every set of open members. */
class Blocks implements Picker {
  readonly #weights: readonly number[];
  #count = 0;

  constructor(_members: unknown, of: readonly number[], start: TurnStart) {
    this.#weights = of;
    this.#count = typeof start === 'number' ? start : 0;
  }

  pick(open: MemberSet): number {
    const usable = this.#weights.flatMap((weight, i) =>
      open.has(i) ? new Array<number>(weight).fill(i) : [],
    );
    return usable[this.#count++ % usable.length] ?? -1;
  }

  peek(): number {
    return -1;
  }

  position(): undefined {
    return undefined;
  }
}

function membersOf(size: number) {
  return Array.from({ length: size }, (_, i) => candidate(String(i).padStart(4, '0')));
}

function make(Engine: Engine, of: readonly number[], start: TurnStart = 0): Picker {
  return new Engine(membersOf(of.length), of, start);
}

function countsOf(picker: Picker, picks: number, open: MemberSet, size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (let i = 0; i < picks; i++) {
    const picked = picker.pick(open);
    counts[picked] = (counts[picked] ?? 0) + 1;
  }
  return counts;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const everyone = (size: number): MemberSet => new MemberSet(size, () => true);

describe.each(ENGINES)('weighted round robin by %s', (_name, Engine) => {
  it('P-B1: over one revolution each member gets exactly its weight, from any offset and at any moment', () => {
    fc.assert(
      fc.property(weights, fc.nat(5000), fc.nat(60), (of, start, warmUp) => {
        const picker = make(Engine, of, start);
        const all = everyone(of.length);
        countsOf(picker, warmUp, all, of.length);
        expect(countsOf(picker, sum(of), all, of.length)).toEqual(of);
      }),
    );
  });

  it('P-B3: with members closed, the others keep their exact proportions', () => {
    fc.assert(
      fc.property(weights, fc.nat(5000), fc.nat(), (of, start, mask) => {
        const open = new MemberSet(of.length, (i) => (mask & (1 << i)) !== 0);
        const expected = of.map((weight, i) => (open.has(i) ? weight : 0));
        const picker = make(Engine, of, start);
        expect(countsOf(picker, sum(expected), open, of.length)).toEqual(expected);
        if (open.size === 0) expect(picker.pick(open)).toBe(-1);
      }),
    );
  });

  it('P-B4: scaling all weights changes nothing', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 2, max: 50 }), (of, factor) => {
        expect(reduceWeights(of.map((weight) => weight * factor))).toEqual(of);
      }),
    );
  });

  it('P-B5: equal weights are round robin, also with members closed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(8), fc.nat(255), (size, start, mask) => {
        const open = new MemberSet(size, (i) => (mask & (1 << i)) !== 0);
        const weighted = make(Engine, new Array<number>(size).fill(1), start);
        const plain = new RoundRobinPicker(membersOf(size), start);
        for (let i = 0; i < 3 * size; i++) expect(weighted.pick(open)).toBe(plain.pick(open));
      }),
    );
  });

  it('P-B8: over all start offsets, first picks follow the weights exactly', () => {
    fc.assert(
      fc.property(weights, (of) => {
        const firsts = new Array<number>(of.length).fill(0);
        for (let start = 0; start < sum(of); start++) {
          const first = make(Engine, of, start).pick(everyone(of.length));
          firsts[first] = (firsts[first] ?? 0) + 1;
        }
        expect(firsts).toEqual(of);
      }),
    );
  });

  it('peek tells the next pick and spends nothing', () => {
    fc.assert(
      fc.property(weights, fc.nat(5000), (of, start) => {
        const picker = make(Engine, of, start);
        const all = everyone(of.length);
        for (let i = 0; i < 20; i++) {
          const told = picker.peek(all);
          expect(picker.peek(all)).toBe(told);
          expect(picker.pick(all)).toBe(told);
        }
      }),
    );
  });

  it('carries on where another one of the same members and weights stood', () => {
    fc.assert(
      fc.property(weights, fc.nat(5000), fc.nat(40), (of, start, picks) => {
        const before = make(Engine, of, start);
        const all = everyone(of.length);
        countsOf(before, picks, all, of.length);
        const after = make(Engine, of, before.position() ?? start);
        for (let i = 0; i < 2 * sum(of); i++) expect(after.pick(all)).toBe(before.pick(all));
      }),
    );
  });

  it('P-B10: a change of one weight costs no other member more than two picks', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 9 }), fc.nat(60), (of, changed, picks) => {
        const after = [changed, ...of.slice(1)];
        const all = everyone(of.length);
        const old = make(Engine, of);
        const had = countsOf(old, picks, all, of.length);
        const next = make(Engine, after, old.position() ?? 0);
        const gets = countsOf(next, sum(after), all, of.length);
        expect(gets).toEqual(after);
        if (Engine !== WeightedRoundRobinPicker) return;
        for (const [i, count] of had.entries()) {
          expect(Math.abs(count - (picks * (of[i] ?? 0)) / sum(of))).toBeLessThan(2);
        }
      }),
    );
  });
});

describe('the schedule', () => {
  it('P-B2: after any number of picks nobody is further from its share than 1 - 1/(2n - 2)', () => {
    const wide = fc
      .array(fc.integer({ min: 1, max: 200 }), { minLength: 2, maxLength: 12 })
      .map(reduceWeights);
    fc.assert(
      fc.property(wide, (of) => {
        expect(largestDeviation(of, evenSchedule(of))).toBeLessThanOrEqual(
          1 - 1 / (2 * of.length - 2) + 1e-9,
        );
      }),
    );
  });

  it('P-B2: holds for the shapes that break naive methods', () => {
    for (const of of [
      [100, ...new Array<number>(100).fill(1)],
      [1, 1000],
      [999, 1000, 1001],
      [1, 1, 1, 997],
    ]) {
      const reduced = reduceWeights(of);
      const bound = 1 - 1 / (2 * of.length - 2) + 1e-9;
      expect(largestDeviation(reduced, evenSchedule(reduced))).toBeLessThanOrEqual(bound);
    }
  });

  it('P-B2, P-B3: blocks with a running count violate both', () => {
    const blocks = make(Blocks, [50, 25, 10]);
    const order = Uint32Array.from({ length: 85 }, () => blocks.pick(everyone(3)));
    expect(largestDeviation([50, 25, 10], order)).toBeGreaterThan(1);
  });
});

describe('the choice of method', () => {
  it.each([
    [[1000, 999, 1], WeightedRoundRobinPicker],
    [[1000, 999, 998, 997, 996], DeadlineRoundRobinPicker],
    [[1000, 1000, 1000, 1000, 1000], WeightedRoundRobinPicker],
  ])('%j', (of, Engine) => {
    const candidates = of.map((trafficWeight, i) => candidate(`s${i}`, { trafficWeight }));
    const [group] = groupsOf(buildSnapshot(overlayWith(candidates, 'weighted_round_robin'), undefined));
    if (group === undefined) throw new Error('no group');
    expect(createPicker(group, 0, () => 0)).toBeInstanceOf(Engine);
    expect(sum(reduceWeights(of)) > SCHEDULE_LENGTH_MAX).toBe(Engine === DeadlineRoundRobinPicker);
  });

  it('P-B9: makes no difference to anyone, per revolution, with the widest weights there are', () => {
    const of = [1000, 1, 999, 997, 3, 991];
    for (const [, Engine] of ENGINES) {
      expect(countsOf(make(Engine, of, 123), sum(of), everyone(of.length), of.length)).toEqual(of);
    }
  });
});

function largestDeviation(of: readonly number[], order: Uint32Array): number {
  const had = new Array<number>(of.length).fill(0);
  let largest = 0;
  for (const [turn, member] of order.entries()) {
    had[member] = (had[member] ?? 0) + 1;
    for (const [i, weight] of of.entries()) {
      largest = Math.max(largest, Math.abs((had[i] ?? 0) - ((turn + 1) * weight) / order.length));
    }
  }
  return largest;
}
