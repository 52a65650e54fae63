import type { Draw } from '../random.ts';
import {
  type Capability,
  type CapabilityName,
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
  /** The pickers of a group of the snapshot. */
  readonly pickersOf: (group: Group) => GroupPickers;
  /** The position whose turn is next in a group, -1 when chance decides. To look is not to ask for a capability. */
  readonly nextOf: (group: Group) => number;
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
 * A capability that nobody ever asked for has no pickers.
 */
export class PickerStates {
  readonly #sources: PickerSources;
  #current: Table | undefined;
  #previous: Table | undefined;

  constructor(sources: PickerSources) {
    this.#sources = sources;
  }

  /** The table for `snapshot`, which thereby becomes the present one. */
  adopt(snapshot: Snapshot): RoutingTable {
    const commit = runSteps(this.prepare(snapshot));
    return commit();
  }

  /**
   * Makes the table for `snapshot`, in steps. Requests may go on taking turns meanwhile: no place in a rotation is read
   * before its successor is first used. Only capabilities that were asked for have turns to carry over.
   *
   * @returns Makes it the present table. Forget it, and nothing has happened; one preparation at a time.
   */
  *prepare(snapshot: Snapshot): Steps<() => RoutingTable> {
    const [current, previous] = [this.#current, this.#previous];
    const table = this.#tableFor(snapshot);
    const carried = new Set<string>();
    // Capabilities that are asked for for the first time meanwhile join the set that is walked through.
    for (const earlier of [current, previous]) {
      for (const [key, name] of earlier?.used ?? []) {
        if (!carried.has(key)) yield* this.#carryOver(table, name);
        carried.add(key);
        yield;
      }
    }
    return () => {
      for (const [key, name] of current?.used ?? [])
        if (!carried.has(key)) runSteps(this.#carryOver(table, name));
      this.#previous = current;
      this.#current = table;
      return table;
    };
  }

  /** Not part of {@link prepare}: functions made there would keep alive what it knows, the table before among it. */
  #tableFor(snapshot: Snapshot): Table {
    return new Table(snapshot, (group) => this.#create(group, undefined));
  }

  *#carryOver(table: Table, name: CapabilityName): Steps<void> {
    const capability = findCapability(table.snapshot, name);
    if (capability === undefined) return;
    const generations: Generation[] = [];
    for (const earlier of [this.#current, this.#previous]) {
      const before = earlier && findCapability(earlier.snapshot, name);
      if (before) generations.push({ table: earlier, homes: yield* homesIn(before) });
    }
    for (const group of capability.groups) table.put(group, yield* this.#carryOn(group, generations));
  }

  *#carryOn(group: Group, generations: readonly Generation[]): Steps<GroupPickers> {
    for (const { table, homes } of generations) {
      const ancestor = yield* ancestorOf(group, homes);
      if (ancestor === undefined) continue;
      const inherited = table.pickersOf(ancestor);
      inherited.turns.shorten();
      inherited.retries.shorten();
      return sameContent(group, ancestor) ? inherited : this.#create(group, inherited);
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

/** An earlier table, and where the members of a capability were in it. */
interface Generation {
  readonly table: Table;
  readonly homes: Homes;
}

/** A table that makes pickers when they are asked for. */
class Table implements RoutingTable {
  readonly snapshot: Snapshot;
  /** The capabilities that have pickers. */
  readonly used = new Map<string, CapabilityName>();
  readonly #create: (group: Group) => GroupPickers;
  readonly #made = new Map<number, GroupPickers>();

  constructor(snapshot: Snapshot, create: (group: Group) => GroupPickers) {
    this.snapshot = snapshot;
    this.#create = create;
  }

  readonly pickersOf = (group: Group): GroupPickers =>
    this.#made.get(group.ordinal) ?? this.put(group, this.#create(group));

  readonly nextOf = (group: Group): number =>
    (this.#made.get(group.ordinal) ?? this.#create(group)).turns.peek(group.open);

  put(group: Group, pickers: GroupPickers): GroupPickers {
    const { kind, name } = group.capability;
    this.used.set(`${kind} ${name}`, group.capability);
    this.#made.set(group.ordinal, pickers);
    return pickers;
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
