import type { Draw } from '../random.ts';
import {
  allCapabilities,
  type Capability,
  findCapability,
  type Group,
  type Snapshot,
} from '../snapshot/snapshot.ts';
import { createPicker } from './create-picker.ts';
import type { Picker } from './picker.ts';
import { type StartMode, startOffset } from './start-offset.ts';

/** The two rotations of a group: failures move the second one only, so they never shift who is picked first. */
export interface GroupPickers {
  readonly turns: Picker;
  readonly retries: Picker;
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
 * No more than two snapshots' pickers are ever kept.
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
    const pickers = allCapabilities(snapshot).flatMap((capability) => this.#pickersOf(capability));
    this.#previous = this.#current;
    this.#current = { snapshot, pickers };
    return this.#current;
  }

  #pickersOf(capability: Capability): GroupPickers[] {
    const generations = [this.#current, this.#previous].flatMap((table) => {
      const earlier = table && findCapability(table.snapshot, capability);
      return earlier ? [{ table, ancestorOf: ancestry(earlier) }] : [];
    });
    return capability.groups.map((group) => {
      for (const { table, ancestorOf } of generations) {
        const ancestor = ancestorOf(group);
        if (ancestor === undefined) continue;
        const inherited = table.pickers[ancestor.ordinal];
        return inherited && sameContent(group, ancestor) ? inherited : this.#create(group, inherited);
      }
      return this.#create(group, undefined);
    });
  }

  #create(group: Group, inherited: GroupPickers | undefined): GroupPickers {
    const { start, draw, retryDraw } = this.#sources;
    const offset = startOffset(start, group);
    return {
      turns: createPicker(group, inherited?.turns.position() ?? offset, draw),
      retries: createPicker(group, inherited?.retries.position() ?? offset, retryDraw),
    };
  }
}

/** Finds, for a group, the group of the `earlier` capability it carries on from. */
function ancestry(earlier: Capability): (group: Group) => Group | undefined {
  const homes = new Map<string, Group>();
  for (const home of earlier.groups) for (const { key } of home.members) homes.set(key, home);
  return (group) => {
    const shared = new Map<Group, number>();
    for (const { key } of group.members) {
      const home = homes.get(key);
      if (home !== undefined) shared.set(home, (shared.get(home) ?? 0) + 1);
    }
    const sameNumber = (home: Group): number => (home.index === group.index ? 1 : 0);
    const [closest] = [...shared].sort(
      ([a, shareA], [b, shareB]) => shareB - shareA || sameNumber(b) - sameNumber(a) || a.ordinal - b.ordinal,
    );
    return closest?.[0];
  };
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
