import type { Draw } from '../random.ts';
import {
  allCapabilities,
  type Capability,
  findCapability,
  type Group,
  type Snapshot,
} from '../snapshot/snapshot.ts';
import { runSteps, type Steps } from '../steps.ts';
import { createPicker } from './create-picker.ts';
import { LazyPicker } from './lazy-picker.ts';
import { type StartMode, startOffset } from './start-offset.ts';

/** The two rotations of a group: failures move the second one only, so they never shift who is picked first. */
export interface GroupPickers {
  readonly turns: LazyPicker;
  readonly retries: LazyPicker;
}

/** A snapshot and the pickers that serve it. Swapped as one reference. */
export interface RoutingTable {
  readonly snapshot: Snapshot;
  /** By the ordinal of the group. */
  readonly pickers: readonly GroupPickers[];
}

/** What new pickers are made with. */
export interface PickerSources {
  readonly start: StartMode;
  readonly draw: Draw;
  /** Draws for retries, from a stream of their own. */
  readonly retryDraw: Draw;
}

/**
 * Carries rotations from one snapshot to the next. Revisions, ranks and scores don't matter, only content:
 *
 * - A group with the members, weights and policy of an earlier group of its capability goes on with the same pickers.
 * - A changed group takes its place in the rotation from the earlier group with which it shares most members; of
 *   equals, the one with the same number, else the better one.
 * - The group it takes from is one of the present snapshot; when none shares a member, one of the snapshot before that,
 *   so that a group which vanishes for one publication resumes. Otherwise it begins at the start offset.
 *
 * No more than two snapshots are ever kept, and of a group that nobody asked for since, the place it goes on from.
 */
export class PickerStates {
  readonly #sources: PickerSources;
  #current: RoutingTable | undefined;
  #previous: RoutingTable | undefined;

  constructor(sources: PickerSources) {
    this.#sources = sources;
  }

  /** The table for `snapshot`, which thereby becomes the present one. */
  adopt(snapshot: Snapshot): RoutingTable {
    const table = runSteps(this.prepare(snapshot));
    this.commit(table);
    return table;
  }

  /**
   * Makes the table for `snapshot`, in steps. Requests may go on taking turns meanwhile: no place in a rotation is read
   * before its successor is first used. One preparation at a time; {@link commit} it or forget it.
   */
  *prepare(snapshot: Snapshot): Steps<RoutingTable> {
    for (const { turns, retries } of this.#current?.pickers ?? []) {
      turns.shorten();
      retries.shorten();
      yield;
    }
    const pickers: GroupPickers[] = [];
    for (const capability of allCapabilities(snapshot)) {
      yield* this.#pickersOf(capability, pickers);
    }
    return { snapshot, pickers };
  }

  /** Makes a prepared table the present one. */
  commit(table: RoutingTable): void {
    this.#previous = this.#current;
    this.#current = table;
  }

  *#pickersOf(capability: Capability, into: GroupPickers[]): Steps<void> {
    const generations: { readonly table: RoutingTable; readonly homes: Homes }[] = [];
    for (const table of [this.#current, this.#previous]) {
      const earlier = table && findCapability(table.snapshot, capability);
      if (earlier) generations.push({ table, homes: yield* homesIn(earlier) });
    }
    for (const group of capability.groups) into.push(yield* this.#carryOn(group, generations));
  }

  *#carryOn(
    group: Group,
    generations: readonly { readonly table: RoutingTable; readonly homes: Homes }[],
  ): Steps<GroupPickers> {
    for (const { table, homes } of generations) {
      const ancestor = yield* ancestorOf(group, homes);
      if (ancestor === undefined) continue;
      const inherited = table.pickers[ancestor.ordinal];
      return inherited && sameContent(group, ancestor) ? inherited : this.#create(group, inherited);
    }
    return this.#create(group, undefined);
  }

  #create(group: Group, inherited: GroupPickers | undefined): GroupPickers {
    const { start, draw, retryDraw } = this.#sources;
    const common = {
      offset: () => startOffset(start, group),
      hasTurns: group.policy === 'round_robin' || group.policy === 'weighted_round_robin',
    };
    return {
      turns: new LazyPicker({
        ...common,
        create: (from) => createPicker(group, from, draw),
        from: inherited?.turns,
      }),
      retries: new LazyPicker({
        ...common,
        create: (from) => createPicker(group, from, retryDraw),
        from: inherited?.retries,
      }),
    };
  }
}

/** The groups of an earlier capability by their members' keys. */
type Homes = ReadonlyMap<string, Group>;

function* homesIn(earlier: Capability): Steps<Homes> {
  const homes = new Map<string, Group>();
  for (const home of earlier.groups) {
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
