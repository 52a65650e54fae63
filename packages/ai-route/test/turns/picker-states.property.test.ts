import type { Candidate, SelectionPolicy } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOffset } from '../../src/pickers/start-offset.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import type { GroupPickers } from '../../src/turns/lineage.ts';
import type { PickerStates, RoutingTable } from '../../src/turns/picker-states.ts';
import { candidate, groupsOf, newStates, overlayWith } from '../support/rotation.ts';

const POLICIES: SelectionPolicy[] = ['round_robin', 'weighted_round_robin'];

function groupOf(sites: string, group = 0, fields: Partial<Candidate> = {}): Candidate[] {
  return [...sites].map((site) => candidate(site, { selectionGroup: group, ...fields }));
}

function adopt(
  states: PickerStates,
  candidates: readonly Candidate[],
  policy: SelectionPolicy = 'round_robin',
) {
  const table = states.adopt(buildSnapshot(overlayWith(candidates, policy), undefined));
  // Only what was asked for is carried over.
  for (const group of groupsOf(table.snapshot)) table.pickersOf(group);
  return table;
}

function pickersAt(table: RoutingTable, ordinal: number): GroupPickers {
  const group = groupsOf(table.snapshot)[ordinal];
  if (group === undefined) throw new Error(`no group ${ordinal}`);
  return table.pickersOf(group);
}

/** The next picks of a group, as site letters. */
function turns(table: RoutingTable, picks: number, ordinal = 0): string {
  return take(table, picks, { ordinal, rotation: 'turns' });
}

function take(
  table: RoutingTable,
  picks: number,
  { ordinal, rotation }: { ordinal: number; rotation: 'turns' | 'retries' },
): string {
  const group = groupsOf(table.snapshot)[ordinal];
  if (group === undefined) throw new Error(`no group ${ordinal}`);
  const pick = (): string =>
    group.members[table.pickersOf(group)[rotation].pick(group.open)]?.candidate.site ?? '-';
  return Array.from({ length: picks }, pick).join('');
}

describe('P-E1: publishing the same content again changes nothing', () => {
  const playing = (create: () => PickerStates | undefined) =>
    fc.property(
      fc.constantFrom(...POLICIES),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.boolean(), { maxLength: 60 }),
      (policy, weights, republishes) => {
        const weighted = policy === 'weighted_round_robin';
        const candidates = weights.map((trafficWeight, i) =>
          candidate(`s${i}`, weighted ? { trafficWeight } : {}),
        );
        const calm = adopt(newStates(), candidates, policy);
        let states = newStates();
        let table = adopt(states, candidates, policy);
        for (const republish of republishes) {
          if (republish) {
            states = create() ?? states;
            table = adopt(states, candidates.toReversed(), policy);
          }
          expect(turns(table, 1)).toBe(turns(calm, 1));
        }
      },
    );

  it('whenever it comes', () => {
    fc.assert(playing(() => undefined));
  });

  it('is violated by state that lives in the snapshot', () => {
    expect(fc.check(playing(newStates), { seed: 1 }).failed).toBe(true);
  });
});

describe('P-E2: only members and weights identify the state', () => {
  const first = groupOf('abc');
  const perturbations: [string, (one: Candidate, i: number) => Candidate][] = [
    ['rank', (one, i) => ({ ...one, rank: 9 - i })],
    ['score', (one, i) => ({ ...one, score: i / 10 })],
    ['stable id', (one, i) => ({ ...one, stableId: `new-${i}` })],
    ['freshness', (one) => ({ ...one, fresh: false })],
    ['tier', (one) => ({ ...one, selectionTier: 'same_zone' })],
    ['admission', (one) => ({ ...one, admissionState: 'existing_only' })],
    ['group number', (one) => ({ ...one, selectionGroup: 1 })],
  ];

  it.each(perturbations)('%s does not matter', (_field, perturb) => {
    const states = newStates();
    const before = adopt(states, first);
    const after = adopt(states, first.map(perturb));
    expect(pickersAt(after, 0)).toBe(pickersAt(before, 0));
  });

  it.each([
    ['a member less', groupOf('ab')],
    ['a member more', groupOf('abcd')],
    ['another cluster', groupOf('abc', 0, { cluster: 'other' })],
  ])('%s does', (_what, candidates) => {
    const states = newStates();
    const before = adopt(states, first);
    expect(pickersAt(adopt(states, candidates), 0)).not.toBe(pickersAt(before, 0));
  });

  it('another policy does', () => {
    const states = newStates();
    const before = adopt(states, first);
    expect(pickersAt(adopt(states, first, 'random'), 0)).not.toBe(pickersAt(before, 0));
  });

  it('another capability does not', () => {
    const states = newStates();
    const before = adopt(states, first);
    const after = adopt(states, [candidate('x', { name: 'other' }), ...first]);
    expect(pickersAt(after, 1)).toBe(pickersAt(before, 0));
  });
});

describe('where a changed group takes its place from', () => {
  it('the group with which it shares most members', () => {
    const states = newStates();
    const before = adopt(states, [...groupOf('abcd'), ...groupOf('wxyz', 1)]);
    turns(before, 2, 1);
    const after = adopt(states, [...groupOf('axyz'), ...groupOf('bcd', 1)]);
    expect(turns(after, 4)).toBe('yzax');
  });

  it('of equals, the one with the same number', () => {
    const states = newStates();
    const before = adopt(states, [...groupOf('ab'), ...groupOf('cd', 1)]);
    turns(before, 1, 0);
    turns(before, 1, 1);
    const after = adopt(states, [...groupOf('ac'), ...groupOf('bd', 1)]);
    expect(turns(after, 2, 0)).toBe('ca');
    expect(turns(after, 2, 1)).toBe('db');
  });

  it('both halves of a split group go on from where it stood', () => {
    const states = newStates();
    turns(adopt(states, groupOf('abcdef')), 3);
    const after = adopt(states, [...groupOf('abd'), ...groupOf('cef', 1)]);
    expect(turns(after, 3, 0)).toBe('dab');
    expect(turns(after, 3, 1)).toBe('efc');
  });

  it('a group that only drains for a while keeps everybody else in turn', () => {
    const states = newStates();
    turns(adopt(states, groupOf('abc')), 1);
    const draining = adopt(states, [
      ...groupOf('ac'),
      ...groupOf('b', 1, { admissionState: 'existing_only' }),
    ]);
    expect(turns(draining, 3)).toBe('cac');
    expect(turns(adopt(states, groupOf('abc')), 3)).toBe('abc');
  });

  it('P-E5: a group that vanishes for one publication resumes, after two it begins anew', () => {
    const elsewhere = [candidate('x', { name: 'other' })];
    for (const [absences, expected] of [
      [1, 'cab'],
      [2, 'abc'],
    ] as const) {
      const states = newStates();
      turns(adopt(states, groupOf('abc')), 2);
      for (let i = 0; i < absences; i++) adopt(states, elsewhere);
      expect(turns(adopt(states, groupOf('abc')), 3)).toBe(expected);
    }
  });

  it('a capability that nobody asks for meanwhile goes on where it stood, however often is published', () => {
    const states = newStates();
    turns(adopt(states, groupOf('abc')), 2);
    for (let i = 0; i < 5; i++) {
      states.adopt(
        buildSnapshot(overlayWith([...groupOf('abcd'), candidate('x', { name: 'other' })]), undefined),
      );
    }
    expect(turns(adopt(states, groupOf('abc')), 3)).toBe('cab');
  });

  it('a request that comes late to an earlier snapshot is nobody’s predecessor', () => {
    const states = newStates();
    turns(adopt(states, groupOf('abc')), 1);
    const earlier = states.adopt(buildSnapshot(overlayWith(groupOf('ab')), undefined));
    turns(adopt(states, groupOf('abc')), 1);
    // It takes its place from those who are served now, and they go on as if it had not been.
    expect(turns(earlier, 1)).toBe('a');
    expect(turns(adopt(states, groupOf('abcd')), 4)).toBe('cdab');
  });

  it('a group of so many that it is built ahead', () => {
    const many = Array.from({ length: 100 }, (_, i) => candidate(`${i}`.padStart(3, '0')));
    const states = newStates();
    turns(adopt(states, many), 50);
    expect(turns(adopt(states, many.slice(1)), 2)).toBe('050051');
  });

  it('a group that was never picked from begins where it would have anyway', () => {
    const states = newStates();
    adopt(states, groupOf('bc'));
    expect(turns(adopt(states, groupOf('abc')), 3)).toBe('abc');
  });

  it('retries carry on as well, by themselves', () => {
    const states = newStates();
    const before = adopt(states, groupOf('abc'));
    turns(before, 1);
    take(before, 2, { ordinal: 0, rotation: 'retries' });
    const after = adopt(states, groupOf('abcd'));
    expect(take(after, 4, { ordinal: 0, rotation: 'retries' })).toBe('cdab');
    expect(turns(after, 4)).toBe('bcda');
  });

  it('round robin and weighted round robin hand over to each other', () => {
    const states = newStates();
    turns(adopt(states, groupOf('abc')), 2);
    const weighted = groupOf('abc', 0, { trafficWeight: 7 });
    expect(turns(adopt(states, weighted, 'weighted_round_robin'), 2)).toBe('ca');
    expect(turns(adopt(states, groupOf('abc')), 2)).toBe('bc');
  });
});

describe('P-A7: hashed start offsets', () => {
  const candidates = [...groupOf('abc'), ...groupOf('defghij', 1), ...groupOf('klmnopqrstuvwxyz', 2)];
  const groups = groupsOf(buildSnapshot(overlayWith(candidates), undefined));
  const offsets = (ordinal: number, size: number): number[] =>
    Array.from({ length: 10_000 }, (_, i) => {
      const group = groups[ordinal];
      return group ? startOffset({ mode: 'hashed', instanceId: `gateway-${i}` }, group) % size : -1;
    });

  it.each([
    [0, 3],
    [1, 7],
    [2, 16],
  ])('group %d: 10,000 instances spread evenly over %d members', (ordinal, size) => {
    const counts = new Array<number>(size).fill(0);
    for (const offset of offsets(ordinal, size)) counts[offset] = (counts[offset] ?? 0) + 1;
    const expected = 10_000 / size;
    const chi = counts.reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
    expect((chi - (size - 1)) / Math.sqrt(2 * (size - 1))).toBeLessThan(5);
  });

  it('the offsets of two groups in one instance are independent', () => {
    const [one, two] = [offsets(0, 3), offsets(1, 7)];
    const counts = new Array<number>(21).fill(0);
    for (const [i, offset] of one.entries()) {
      const cell = offset * 7 + (two[i] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
    const expected = 10_000 / 21;
    const chi = counts.reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
    expect((chi - 20) / Math.sqrt(40)).toBeLessThan(5);
  });

  it('the same instance starts in the same place again', () => {
    expect(offsets(1, 7)).toEqual(offsets(1, 7));
  });
});
