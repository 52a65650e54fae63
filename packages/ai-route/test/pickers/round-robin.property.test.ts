import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoundRobinPicker } from '../../src/pickers/round-robin.ts';
import { MemberSet } from '../../src/snapshot/member-set.ts';
import { playSteps, type RotationStep } from '../support/projection.ts';
import {
  CounterModulo,
  candidate,
  ListedOrder,
  NextOrFirst,
  RealRotation,
  ResetOnReload,
  type Rotation,
  SharedRetryCursor,
} from '../support/rotation.ts';

const SITES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function take(rotation: Rotation, open: Iterable<string>, picks: number): string[] {
  const set = new Set(open);
  return Array.from({ length: picks }, () => rotation.pick(set) ?? 'none');
}

describe('P-A1: any window of m x k picks over k open members gives each exactly m', () => {
  it('for every k to 8, every m to 5, every offset and every set of closed members', () => {
    for (let size = 1; size <= 8; size++) {
      for (let mask = 1; mask < 2 ** size; mask++) {
        const open = new MemberSet(size, (i) => (mask & (1 << i)) !== 0);
        for (let start = 0; start < size; start++) {
          const picker = new RoundRobinPicker(
            SITES.slice(0, size).map((site) => candidate(site)),
            start,
          );
          const counts = new Array<number>(size).fill(0);
          for (let pick = 1; pick <= 5 * open.size; pick++) {
            const picked = picker.pick(open);
            counts[picked] = (counts[picked] ?? 0) + 1;
            if (pick % open.size !== 0) continue;
            const expected = counts.map((_, i) => (open.has(i) ? pick / open.size : 0));
            if (counts.join() !== expected.join()) expect(counts).toEqual(expected);
          }
        }
      }
    }
  });
});

describe('P-A2, P-A3: projection invariance', () => {
  const member = fc.nat(7);
  const step: fc.Arbitrary<RotationStep> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('request' as const), failures: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('flap' as const), member }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('join' as const, 'leave' as const), member }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('republish' as const), rotateBy: fc.nat(7) }) },
  );
  const holdsFor = (create: () => Rotation) =>
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const violation = playSteps(create(), steps);
      if (violation !== undefined) throw new Error(violation);
    });

  it.each(['round_robin', 'weighted_round_robin'] as const)('holds for %s', (policy) => {
    fc.assert(
      holdsFor(() => new RealRotation(policy)),
      { numRuns: 1500 },
    );
  });

  it.each([CounterModulo, ResetOnReload, NextOrFirst, SharedRetryCursor])('is violated by %o', (Wrong) => {
    const result = fc.check(
      holdsFor(() => new Wrong()),
      { numRuns: 1500, seed: 1 },
    );
    expect(result.failed).toBe(true);
  });
});

/** The turns of continuing members after a change, as the order in which each is picked first. */
function turnsAround(create: () => Rotation, size: number, change: { cursor: number; members: string[] }) {
  const before = SITES.slice(1, size + 1);
  const continuing = before.filter((site) => change.members.includes(site));
  const play = (members: string[]): string[] => {
    const rotation = create();
    rotation.publish(before);
    take(rotation, before, change.cursor);
    if (members !== before) rotation.publish(members);
    return take(rotation, members, members.length).filter((site) => continuing.includes(site));
  };
  return { undisturbed: play(before), disturbed: play(change.members), continuing };
}

function largestShift(create: () => Rotation): number {
  let largest = 0;
  for (let size = 1; size <= 7; size++) {
    const present = SITES.slice(1, size + 1);
    // One more at either end or in the middle; one fewer at each place.
    const additions = ['a', 'cc', 'z'].map((site) => [...present, site]);
    const removals = size === 1 ? [] : present.map((site) => present.filter((other) => other !== site));
    for (const members of [...additions, ...removals]) {
      for (let cursor = 0; cursor < size; cursor++) {
        const { undisturbed, disturbed, continuing } = turnsAround(create, size, { cursor, members });
        for (const site of continuing) {
          const [was, is] = [undisturbed.indexOf(site), disturbed.indexOf(site)];
          largest = Math.max(largest, is < 0 ? Number.POSITIVE_INFINITY : Math.abs(is - was));
        }
      }
    }
  }
  return largest;
}

describe('P-A4: one member more or fewer leaves the order of the others alone', () => {
  it('for every size to 7, every cursor and every change', () => {
    expect(largestShift(() => new RealRotation())).toBe(0);
  });

  it.each([CounterModulo, ResetOnReload, NextOrFirst])('is violated by %o', (Wrong) => {
    expect(largestShift(() => new Wrong())).toBeGreaterThan(1);
  });
});

describe('P-A5: a closed member gives its turn to nobody in particular', () => {
  it('eight members, one closed: every other one gets exactly one per revolution', () => {
    const rotation = new RealRotation();
    rotation.publish(SITES);
    for (const closed of SITES) {
      const open = SITES.filter((site) => site !== closed);
      expect(take(rotation, open, 7).toSorted()).toEqual(open);
    }
  });
});

describe('P-A8: the order in which candidates are listed never matters', () => {
  const sequences = (create: () => Rotation): Set<string> => {
    const all = permutations(['a', 'b', 'c', 'd', 'e']).map((listed) => {
      const rotation = create();
      rotation.publish(listed);
      return take(rotation, listed, 12).join('');
    });
    return new Set(all);
  };

  it('all 120 permutations of five give one sequence', () => {
    expect([...sequences(() => new RealRotation())]).toEqual(['abcdeabcdeab']);
  });

  it('is violated by an implementation that takes members as listed', () => {
    expect(sequences(() => new ListedOrder()).size).toBeGreaterThan(1);
  });
});

describe('P-A10: extreme start values are safe', () => {
  it.each([0, 6, 7, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1])('%d', (start) => {
    for (let size = 1; size <= 7; size++) {
      const members = SITES.slice(0, size).map((site) => candidate(site));
      const picker = new RoundRobinPicker(members, start);
      const all = new MemberSet(size, () => true);
      expect(picker.peek(all)).toBe(start % size);
      const picked = Array.from({ length: size }, () => picker.pick(all));
      expect(picked.toSorted()).toEqual(members.map((_, i) => i));
    }
  });
});

function permutations(items: readonly string[]): string[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
