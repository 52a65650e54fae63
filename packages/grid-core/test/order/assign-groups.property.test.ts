import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignGroups,
  type OrderableCandidate,
  type RoutingPolicy,
  sortCandidates,
} from '../../src/index.ts';
import {
  distinctCandidates,
  expectFault,
  identity,
  policies,
  withPermutation,
} from '../support/candidates.ts';

/** Group numbers for a sorted list. */
type Assign = (sorted: readonly OrderableCandidate[], policy: RoutingPolicy) => number[];

interface Grouped {
  readonly id: string;
  readonly capability: string;
  readonly group: number;
}

function grouped(list: readonly OrderableCandidate[], policy: RoutingPolicy, assign: Assign): Grouped[] {
  const sorted = sortCandidates(list, policy);
  const groups = assign(sorted, policy);
  return sorted.map((entry, index) => ({
    id: identity(entry),
    capability: JSON.stringify([entry.kind, entry.name]),
    group: groups[index] ?? -1,
  }));
}

const anyPolicy = fc.constantFrom(...policies);

/** What the consumer demands: per capability from 0, never down, up by one; so each group is one contiguous run. */
function isPartition(assign: Assign): fc.IProperty<unknown> {
  return fc.property(distinctCandidates, anyPolicy, (list, policy) => {
    const last = new Map<string, number>();
    for (const { capability, group } of grouped(list, policy, assign)) {
      const previous = last.get(capability);
      if (previous === undefined) expect(group).toBe(0);
      else expect([previous, previous + 1]).toContain(group);
      last.set(capability, group);
    }
  });
}

/** P-G2: the same groups for every permutation. */
function ignoresInputOrder(assign: Assign): fc.IProperty<unknown> {
  return fc.property(withPermutation(distinctCandidates), anyPolicy, ([list, shuffled], policy) => {
    expect(grouped(shuffled, policy, assign)).toEqual(grouped(list, policy, assign));
  });
}

/** P-G1: two members share a group exactly when their boundary values are equal, which is an equivalence. */
function isEquivalence(assign: Assign): fc.IProperty<unknown> {
  return fc.property(distinctCandidates, anyPolicy, (list, policy) => {
    const groups = new Map(grouped(list, policy, assign).map((entry) => [entry.id, entry]));
    for (const a of list) {
      for (const b of list) {
        if (a.kind !== b.kind || a.name !== b.name) continue;
        const together = groups.get(identity(a))?.group === groups.get(identity(b))?.group;
        expect(together).toBe(boundary(a, policy) === boundary(b, policy));
      }
    }
  });
}

function boundary(entry: OrderableCandidate, policy: RoutingPolicy): string {
  const tier = policy === 'geographyFirst' ? entry.selectionTier : '';
  return JSON.stringify([entry.admissionState, tier, entry.fresh]);
}

/** P-G4: taking members away never puts others together or apart. */
function isLocal(assign: Assign): fc.IProperty<unknown> {
  const scenario = distinctCandidates.chain((list) => fc.tuple(fc.constant(list), fc.subarray(list)));
  return fc.property(scenario, anyPolicy, ([list, kept], policy) => {
    const whole = new Map(grouped(list, policy, assign).map((entry) => [entry.id, entry.group]));
    const part = grouped(kept, policy, assign);
    for (const a of part) {
      for (const b of part) {
        if (a.capability !== b.capability) continue;
        expect(a.group === b.group).toBe(whole.get(a.id) === whole.get(b.id));
      }
    }
  });
}

/** Walks the runs of each capability and starts a group where `differs` says so. */
function walking(differs: (previous: OrderableCandidate, next: OrderableCandidate) => boolean): Assign {
  return (sorted) => {
    const last = new Map<string, { entry: OrderableCandidate; group: number }>();
    return sorted.map((entry) => {
      const capability = JSON.stringify([entry.kind, entry.name]);
      const previous = last.get(capability);
      const group = previous === undefined ? 0 : previous.group + (differs(previous.entry, entry) ? 1 : 0);
      last.set(capability, { entry, group });
      return group;
    });
  };
}

/** Neighbours within a tolerance stay together: one bridging member decides about the others. */
const epsilonGroups = walking((previous, next) => Math.abs((previous.score ?? 0) - (next.score ?? 0)) > 0.03);

/** Compares scores with `!==`, which calls NaN different from itself. */
const nanGroups = walking((previous, next) => previous.score !== next.score);

/** Forgets that capabilities are interleaved. */
const acrossCapabilities: Assign = (sorted, policy) => {
  let group = 0;
  return sorted.map((entry, index) => {
    const previous = sorted[index - 1];
    if (previous !== undefined && boundary(previous, policy) !== boundary(entry, policy)) group += 1;
    return group;
  });
};

/** Numbers groups by position in the unsorted world: by tier only. */
const tierNumbers: Assign = (sorted) =>
  sorted.map(
    ({ selectionTier }) => ['same_site', 'same_zone', 'same_region'].indexOf(selectionTier ?? '') + 1,
  );

const runs = { numRuns: 1000 };

describe('assignGroups', () => {
  it('partitions each capability into contiguous runs', () => fc.assert(isPartition(assignGroups), runs));
  it('is an equivalence, whatever the scores are (P-G1)', () => fc.assert(isEquivalence(assignGroups), runs));
  it('does not depend on the input order (P-G2)', () => fc.assert(ignoresInputOrder(assignGroups), runs));
  it('never regroups a member because of others (P-G4)', () => fc.assert(isLocal(assignGroups), runs));

  it('score tolerance is caught', () => {
    expectFault(isEquivalence(epsilonGroups));
    expectFault(isLocal(epsilonGroups));
  });
  it('score inequality is caught', () => expectFault(isEquivalence(nanGroups)));
  it('counting across capabilities is caught', () => {
    expectFault(isPartition(acrossCapabilities));
  });
  it('numbers with gaps are caught', () => expectFault(isPartition(tierNumbers)));
});
