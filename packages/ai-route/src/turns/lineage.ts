import type { Steps } from '../basics/steps.ts';
import type { Group } from '../snapshot/snapshot.ts';
import type { LazyPicker } from './lazy-picker.ts';

/** The two rotations of a group: failures move the second one only, so they never shift who is picked first. */
export interface GroupPickers {
  readonly turns: LazyPicker;
  readonly retries: LazyPicker;
}

/** The groups of a capability in one snapshot, of which it holds nothing else, and their pickers. */
export type Generation = ReadonlyMap<Group, GroupPickers>;

/** Where the rotations of a capability stand: its generations, newest first, no more than two. */
export type Lineage = readonly Generation[];

/** Makes the pickers of a group, which carry on from others. */
export type CreatePickers = (group: Group, inherited: GroupPickers | undefined) => GroupPickers;

/** The generation of `groups` that follows on a lineage, in steps of one member. */
export function* nextGeneration(
  groups: readonly Group[],
  lineage: Lineage,
  create: CreatePickers,
): Steps<Generation> {
  const homes: Homes[] = [];
  const next = new Map<Group, GroupPickers>();
  for (const group of groups) {
    let pickers: GroupPickers | undefined;
    for (const [age, generation] of lineage.entries()) {
      homes[age] ??= yield* homesIn(generation);
      const ancestor = yield* ancestorOf(group, homes[age]);
      const inherited = ancestor && generation.get(ancestor);
      if (ancestor === undefined || inherited === undefined) continue;
      inherited.turns.shorten();
      inherited.retries.shorten();
      pickers = sameContent(group, ancestor) ? inherited : create(group, inherited);
      break;
    }
    next.set(group, pickers ?? create(group, undefined));
  }
  return next;
}

/** The groups of an earlier generation by their members' keys. */
type Homes = ReadonlyMap<string, Group>;

function* homesIn(generation: Generation): Steps<Homes> {
  const homes = new Map<string, Group>();
  for (const home of generation.keys()) {
    for (const { key } of home.members) {
      homes.set(key, home);
      yield;
    }
  }
  return homes;
}

/** The earlier group that `group` carries on from. */
function* ancestorOf(group: Group, homes: Homes): Steps<Group | undefined> {
  const shared = new Map<Group, number>();
  for (const { key } of group.members) {
    const home = homes.get(key);
    if (home !== undefined) shared.set(home, (shared.get(home) ?? 0) + 1);
    yield;
  }
  const sameNumber = (home: Group): number => (home.index === group.index ? 1 : 0);
  const [closest] = [...shared].sort(
    ([a, shareA], [b, shareB]) => shareB - shareA || sameNumber(b) - sameNumber(a) || a.ordinal - b.ordinal,
  );
  return closest?.[0];
}

function sameContent(a: Group, b: Group): boolean {
  return (
    a.policy === b.policy &&
    a.members.length === b.members.length &&
    a.members.every((member, position) => {
      const other = b.members[position];
      return member.key === other?.key && member.candidate.trafficWeight === other.candidate.trafficWeight;
    })
  );
}
