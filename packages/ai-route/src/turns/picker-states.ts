import { runSteps, type Steps } from '../basics/steps.ts';
import { createPicker } from '../pickers/create-picker.ts';
import { type StartMode, startOffset } from '../pickers/start-offset.ts';
import type { Draw } from '../random.ts';
import type { MemberSet } from '../snapshot/member-set.ts';
import {
  type Capability,
  type CapabilityName,
  findCapability,
  type Group,
  type Snapshot,
} from '../snapshot/snapshot.ts';
import { LazyPicker } from './lazy-picker.ts';
import {
  type CreatePickers,
  type Generation,
  type GroupPickers,
  type Lineage,
  nextGeneration,
} from './lineage.ts';

/** A snapshot and the pickers that serve it. Swapped as one reference. */
export interface RoutingTable {
  readonly snapshot: Snapshot;
  /** The pickers of a group of the snapshot. */
  readonly pickersOf: (group: Group) => GroupPickers;
  /** The position among `open` whose turn is next in a group, -1 when chance decides. To look is not to ask for a capability. */
  readonly nextOf: (group: Group, open: MemberSet) => number;
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
 * - The group it takes from is one of the last snapshot in which its capability was asked for; when none shares a
 *   member, one of the last but one, so that a group which vanishes for one publication resumes. Otherwise it begins at
 *   the start offset. So does a capability that was gone for two publications.
 *
 * Each capability is carried over when it is first asked for: a reload costs next to nothing, and the first request for a
 * capability a few microseconds. Of earlier snapshots no more is kept than their groups that were asked for, and of a
 * capability that nobody ever asked for there is nothing at all.
 */
export class PickerStates {
  readonly #sources: PickerSources;
  readonly #asked = new Map<string, Asked>();
  /** Those that the present snapshot lacks. */
  #absent: ReadonlySet<string> = new Set();
  #current: Table | undefined;

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
   * before its successor is first used.
   *
   * @returns Makes it the present table. Forget it, and nothing has happened; one preparation at a time.
   */
  *prepare(snapshot: Snapshot): Steps<() => RoutingTable> {
    const table = this.#tableFor(snapshot);
    const ahead: [Capability, Generation][] = [];
    for (const capability of snapshot.builtAhead) {
      if (this.#asked.has(keyOf(capability))) ahead.push([capability, yield* table.carryOver(capability)]);
    }
    const absent = new Set<string>();
    for (const [key, { name }] of this.#asked) {
      if (!snapshot.capabilities.has(name)) absent.add(key);
      yield;
    }
    return () => {
      for (const key of absent) if (this.#absent.has(key)) this.#asked.delete(key);
      this.#absent = absent;
      this.#current = table;
      for (const [capability, generation] of ahead) this.#succeed(capability, generation);
      return table;
    };
  }

  /** Not part of {@link prepare}: functions made there would keep alive what it knows. */
  #tableFor(snapshot: Snapshot): Table {
    const table: Table = new Table(snapshot, {
      lineageOf: (name) => this.#asked.get(keyOf(name))?.lineage,
      create: (group, inherited) => this.#create(group, inherited),
      carriedOver: (name, generation) => {
        // A request that began before the swap may come late: what it brings about is nobody's predecessor.
        if (this.#current === table) this.#succeed(name, generation);
      },
    });
    return table;
  }

  #succeed({ kind, name }: CapabilityName, generation: Generation): void {
    const key = keyOf({ kind, name });
    const [before] = this.#asked.get(key)?.lineage ?? [];
    const lineage = before === undefined ? [generation] : [generation, before];
    this.#asked.set(key, { name: { kind, name }, lineage });
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

/** A capability that was asked for. */
interface Asked {
  readonly name: CapabilityName;
  readonly lineage: Lineage;
}

function keyOf({ kind, name }: CapabilityName): string {
  return `${kind} ${name}`;
}

/** What a table makes pickers of, and who is told. */
interface TableSources {
  /** Undefined for a capability that was never asked for. */
  readonly lineageOf: (name: CapabilityName) => Lineage | undefined;
  readonly create: CreatePickers;
  readonly carriedOver: (name: CapabilityName, generation: Generation) => void;
}

/** A table that makes pickers when they are asked for. */
class Table implements RoutingTable {
  readonly snapshot: Snapshot;
  readonly #sources: TableSources;
  /** By the groups' ordinals. */
  readonly #made = new Map<number, GroupPickers>();

  constructor(snapshot: Snapshot, sources: TableSources) {
    this.snapshot = snapshot;
    this.#sources = sources;
  }

  readonly pickersOf = (group: Group): GroupPickers =>
    this.#made.get(group.ordinal) ?? this.#carryOverFor(group);

  readonly nextOf = (group: Group, open: MemberSet): number =>
    (this.#made.get(group.ordinal) ?? this.#foreseen(group)).turns.peek(open);

  /** Makes the pickers of all groups of a capability, in steps. */
  *carryOver(capability: Capability): Steps<Generation> {
    const { lineageOf, create } = this.#sources;
    const generation = yield* nextGeneration(capability.groups, lineageOf(capability) ?? [], create);
    for (const [{ ordinal }, pickers] of generation) this.#made.set(ordinal, pickers);
    return generation;
  }

  /** The pickers that the group will get when its capability is asked for. */
  #foreseen(group: Group): GroupPickers {
    const { lineageOf, create } = this.#sources;
    const lineage = lineageOf(group.capability) ?? [];
    return runSteps(nextGeneration([group], lineage, create)).get(group) ?? create(group, undefined);
  }

  #carryOverFor({ capability: name, ordinal }: Group): GroupPickers {
    const capability = findCapability(this.snapshot, name);
    const generation = capability && runSteps(this.carryOver(capability));
    const pickers = this.#made.get(ordinal);
    if (generation === undefined || pickers === undefined)
      throw new RangeError('the group is of another snapshot');
    this.#sources.carriedOver(name, generation);
    return pickers;
  }
}
