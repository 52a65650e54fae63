import type { CandidateKind, SelectionPolicy } from '@switchyard/overlay-contract';
import { runSteps, type Steps } from '../basics/steps.ts';
import type { SkippedCandidate } from '../decision.ts';
import { type IndexPlan, startOf } from './index-plan.ts';
import { memberKey } from './member-order.ts';
import { MemberSet } from './member-set.ts';
import type { CandidateEntry, RoutingCandidate, RoutingOverlay } from './routing-overlay.ts';
import { skippedCandidates } from './skipped.ts';
import type { Capability, Group, Member } from './snapshot.ts';
import { closedReason, type KnownClusters } from './viability.ts';

/** What a snapshot is built from. */
export interface SnapshotParts {
  readonly overlay: RoutingOverlay;
  readonly plan: IndexPlan;
  readonly known: KnownClusters;
}

/** What a capability is once it has been built. */
type Built = Pick<Capability, 'policy' | 'groups' | 'byStableId' | 'active' | 'skipped'>;

/**
 * A capability that is built when it is first asked for. Of an overlay with thousands of them most requests ask for few,
 * and what is never built costs a reload neither time nor, worse, a garbage collection.
 */
export class PlannedCapability implements Capability {
  readonly kind: CandidateKind;
  readonly name: string;
  readonly #parts: SnapshotParts;
  /** Its groups in the plan. */
  readonly #firstGroup: number;
  readonly #endGroup: number;
  #built: Built | undefined;

  /** @param number - Its place in the plan. */
  constructor(parts: SnapshotParts, number: number) {
    const { groupEnds, capabilityEnds } = parts.plan;
    this.#parts = parts;
    this.#firstGroup = startOf(capabilityEnds, number);
    this.#endGroup = startOf(capabilityEnds, number + 1);
    const { kind, name } = entryAt(parts, startOf(groupEnds, this.#firstGroup));
    this.kind = kind;
    this.name = name;
  }

  get policy(): SelectionPolicy {
    return (this.#built ?? this.#build()).policy;
  }

  get groups(): readonly Group[] {
    return (this.#built ?? this.#build()).groups;
  }

  get byStableId(): ReadonlyMap<string, Member> {
    return (this.#built ?? this.#build()).byStableId;
  }

  get active(): Group | undefined {
    return (this.#built ?? this.#build()).active;
  }

  get skipped(): readonly SkippedCandidate[] {
    return (this.#built ?? this.#build()).skipped;
  }

  get routable(): boolean {
    if (this.#built !== undefined) return this.#built.active !== undefined;
    for (const at of this.#places()) {
      if (closedReason(candidateAt(this.#parts, at), this.#parts.known) === undefined) return true;
    }
    return false;
  }

  *clusters(): Generator<string, void, void> {
    for (const at of this.#places()) yield entryAt(this.#parts, at).cluster;
  }

  /** Builds it, in steps of one member. */
  *buildSteps(): Steps<Built> {
    const {
      plan: { groupEnds },
      overlay,
      known,
    } = this.#parts;
    const { kind, name } = this;
    // Pickers hold on to their group over many overlays, so a group holds on to no more than its members.
    const capability = { kind, name };
    const groups: Group[] = [];
    for (let ordinal = this.#firstGroup; ordinal < this.#endGroup; ordinal++) {
      const members: Member[] = [];
      for (let at = startOf(groupEnds, ordinal); at < startOf(groupEnds, ordinal + 1); at++) {
        members.push(buildMember(candidateAt(this.#parts, at), known));
        yield;
      }
      const open = new MemberSet(members.length, (slot) => members[slot]?.closed === undefined);
      const index = members[0]?.group ?? null;
      // Without groups nobody competes: the first in the overlay's order serves, as before there were policies.
      const policy = index === null ? 'deterministic' : overlay.selectionPolicy;
      groups.push({ ordinal, index, policy, members, open, capability });
    }
    this.#built = finish(groups);
    return this.#built;
  }

  /** Where its candidates stand in the plan. */
  *#places(): Generator<number, void, void> {
    const { groupEnds } = this.#parts.plan;
    const end = startOf(groupEnds, this.#endGroup);
    for (let at = startOf(groupEnds, this.#firstGroup); at < end; at++) yield at;
  }

  #build(): Built {
    return runSteps(this.buildSteps());
  }
}

function finish(groups: readonly Group[]): Built {
  const active = groups.find((group) => group.open.size > 0);
  const byStableId = new Map<string, Member>();
  for (const { members } of groups)
    for (const member of members) byStableId.set(member.selected.stableId, member);
  return {
    policy: groups[0]?.policy ?? 'deterministic',
    groups,
    byStableId,
    active,
    // Shared by every decision, so that listing them costs a request nothing.
    skipped: Object.freeze(skippedCandidates(groups, active, ({ closed }) => closed)),
  };
}

/** Members of a capability of the plan. */
export function memberCount({ capabilityEnds, groupEnds }: IndexPlan, number: number): number {
  return (
    startOf(groupEnds, startOf(capabilityEnds, number + 1)) -
    startOf(groupEnds, startOf(capabilityEnds, number))
  );
}

/** The candidate at a place in the plan. */
function candidateAt({ overlay, plan }: SnapshotParts, at: number): RoutingCandidate {
  return present(overlay.candidates.at(plan.rows[at] ?? -1));
}

function entryAt({ overlay: { candidates }, plan }: SnapshotParts, at: number): CandidateEntry {
  const row = plan.rows[at] ?? -1;
  return present(candidates.entryAt === undefined ? candidates.at(row) : candidates.entryAt(row));
}

function present<T>(candidate: T | undefined): T {
  if (candidate === undefined) throw new RangeError('the plan names a candidate that the overlay lacks');
  return candidate;
}

function buildMember(candidate: RoutingCandidate, known: KnownClusters): Member {
  const { kind, name, site, cluster, stableId } = candidate;
  return {
    candidate,
    selected: Object.freeze({ kind, name, site, cluster, stableId, rank: candidate.rank ?? null }),
    group: candidate.selectionGroup ?? null,
    key: memberKey(candidate),
    closed: closedReason(candidate, known),
  };
}
