import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  catchesUp,
  counterModulo,
  firstTie,
  inputOrder,
  probesNeighbour,
  restartsOnUpdate,
} from '../bad-pickers.ts';
import { clusterSubject, counts, type MakeSubject, members, take } from '../subject.ts';
import { anyHistory, type TracedPick, trace } from './trace.ts';

const roundRobin = clusterSubject('round_robin');

/** P-A1: any window of m x k picks over k members gives each exactly m. */
function exactWindows(make: MakeSubject): void {
  for (let k = 1; k <= 8; k++) {
    for (let m = 1; m <= 5; m++) {
      const subject = make(members(k));
      const picks = take(subject, 2 * k + m * k);
      for (let start = 0; start <= 2 * k; start++) {
        const window = counts(picks.slice(start, start + m * k));
        for (const { id } of members(k)) expect(window[id]).toBe(m);
      }
    }
  }
}

/** P-A2: between two picks of one member that stays viable, each other that does is picked once, whatever else happens. */
function projectionInvariance(make: MakeSubject): void {
  const property = fc.property(anyHistory(5), (history) => {
    const picks = trace(make, 5, history);
    for (const [i, { id }] of picks.entries()) {
      const j = picks.findIndex((pick, at) => at > i && pick.id === id);
      if (j === -1) continue;
      const stayed = alwaysViable(picks.slice(i, j + 1));
      if (!stayed.has(id)) continue;
      const between = picks.slice(i + 1, j).map((pick) => pick.id);
      for (const other of stayed) {
        if (other !== id) expect(between.filter((picked) => picked === other)).toHaveLength(1);
      }
    }
  });
  fc.assert(property, { numRuns: 500 });
}

/** P-A3: over any window, members that stayed viable differ by one pick at most. */
function closeCounts(make: MakeSubject): void {
  const property = fc.property(anyHistory(5), (history) => {
    const picks = trace(make, 5, history);
    for (let start = 0; start < picks.length; start++) {
      for (let end = start + 1; end <= picks.length; end++) {
        const window = picks.slice(start, end);
        const count = counts(window.map((pick) => pick.id));
        const stayed = [...alwaysViable(window)].map((id) => count[id] ?? 0);
        if (stayed.length > 1) expect(Math.max(...stayed) - Math.min(...stayed)).toBeLessThanOrEqual(1);
      }
    }
  });
  fc.assert(property, { numRuns: 100 });
}

function alwaysViable(picks: readonly TracedPick[]): Set<string> {
  const [first, ...rest] = picks;
  return new Set([...(first?.viable ?? [])].filter((id) => rest.every((pick) => pick.viable.has(id))));
}

/** P-A4: one join or leave moves the turn of every other member by one position at most. */
function smallShift(make: MakeSubject): void {
  for (let k = 2; k <= 8; k++) {
    for (let picksBefore = 0; picksBefore <= k; picksBefore++) {
      for (let changed = 0; changed < k; changed++) {
        const all = members(k);
        const others = all.filter((_, i) => i !== changed);
        for (const [before, after] of [[all, others] as const, [others, all] as const]) {
          const turns = (update: boolean): (string | undefined)[] => {
            const subject = make(before);
            take(subject, picksBefore);
            if (update) subject.update(after);
            return take(subject, 2 * k);
          };
          const [kept, moved] = [turns(false), turns(true)];
          for (const { id } of others) {
            expect(Math.abs(moved.indexOf(id) - kept.indexOf(id))).toBeLessThanOrEqual(1);
          }
        }
      }
    }
  }
}

/** P-A5: a member that is drained, or excluded from retries, passes its turns to nobody in particular. */
function noNeighbourDoubling(make: MakeSubject): void {
  for (let down = 0; down < 8; down++) {
    const drained = make(members(8).map((member, i) => ({ ...member, weight: i === down ? 0 : 1 })));
    const excluded = new Set([members(8)[down]?.id ?? '']);
    const subject = make(members(8));
    for (const picks of [take(drained, 70), take(subject, 70, excluded)]) {
      for (let start = 0; start <= 63; start++) {
        expect(new Set(picks.slice(start, start + 7)).size).toBe(7);
      }
    }
  }
}

/** P-A8: the order in which endpoints are given never matters. */
function orderIndependence(make: MakeSubject): void {
  const weights = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 7 });
  const shuffled = weights
    .map((list) => members(list.length, list))
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  const property = fc.property(shuffled, ([list, other]) => {
    expect(take(make(other), 60)).toEqual(take(make(list), 60));
  });
  fc.assert(property, { numRuns: 300 });
}

/** P-A11: a member that comes back gets its normal share at once: no burst, no penalty. */
function normalReturn(make: MakeSubject): void {
  for (let k = 2; k <= 6; k++) {
    const subject = make(members(k));
    take(subject, k + 1);
    subject.update(members(k).slice(1));
    take(subject, 10 * k + 1);
    subject.update(members(k));
    for (let m = 1; m <= 3; m++) {
      for (const count of Object.values(counts(take(subject, m * k)))) {
        expect(count).toBeGreaterThanOrEqual(m - 1);
        expect(count).toBeLessThanOrEqual(m + 1);
      }
    }
  }
}

/** P-D3: the sequence of first picks is the same with and without retries in between. */
function retriesApart(make: MakeSubject): void {
  const retries = fc.array(fc.nat(3), { maxLength: 3 });
  const property = fc.property(fc.array(retries, { minLength: 5, maxLength: 30 }), (rounds) => {
    const [disturbed, plain] = [make(members(4)), make(members(4))];
    for (const round of rounds) {
      expect(disturbed.pick()).toBe(plain.pick());
      for (const member of round) disturbed.pick(new Set([members(4)[member]?.id ?? '']));
    }
  });
  fc.assert(property, { numRuns: 200 });
}

describe.each<[string, (make: MakeSubject) => void, MakeSubject[]]>([
  ['P-A1 exact windows', exactWindows, [firstTie]],
  ['P-A2 projection invariance', projectionInvariance, [counterModulo, restartsOnUpdate, probesNeighbour]],
  ['P-A3 close counts', closeCounts, [counterModulo, restartsOnUpdate, probesNeighbour]],
  ['P-A4 small shift', smallShift, [counterModulo, restartsOnUpdate]],
  ['P-A5 no neighbour doubling', noNeighbourDoubling, [probesNeighbour]],
  ['P-A8 order independence', orderIndependence, [inputOrder]],
  ['P-A11 normal return', normalReturn, [catchesUp]],
  ['P-D3 retries apart', retriesApart, [counterModulo, probesNeighbour]],
])('%s', (_name, property, planted) => {
  it('holds for round_robin', () => property(roundRobin));

  it.each(planted.map((make) => [make.name || 'planted', make] as const))(
    'fails for the planted picker %#',
    (_, make) => {
      expectCaught(() => property(make));
    },
  );
});

describe('P-A10 start offsets', () => {
  it.each([0, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER])(
    '%s is safe',
    (startOffset) => {
      for (const weights of [
        [1, 1, 1],
        [3, 2, 1],
        [5000, 1, 7],
      ]) {
        const picks = take(roundRobin(members(3, weights), { startOffset }), 50);
        expect(picks.every((id) => id !== undefined)).toBe(true);
      }
      expect(roundRobin(members(3), { startOffset }).pick()).toBe(members(3)[startOffset % 3]?.id);
    },
  );

  it('waits for the first endpoints', () => {
    const subject = roundRobin([], { startOffset: 2 });
    expect(subject.pick()).toBeUndefined();
    subject.update(members(3));
    expect(subject.pick()).toBe('m002');
  });
});

it('keeps the turn of an endpoint that left and came back between two picks', () => {
  const subject = roundRobin(members(3));
  take(subject, 1);
  subject.update(members(3).filter(({ id }) => id !== 'm001'));
  subject.update(members(3));
  expect(take(subject, 3)).toEqual(['m001', 'm002', 'm000']);
});
