import type { CandidateKind, SelectionPolicy } from '@switchyard/overlay-contract';
import type { SelectedCandidate, SkippedCandidate } from '../decision.ts';
import type { MemberSet } from './member-set.ts';
import type { RoutingCandidate } from './routing-overlay.ts';
import type { ClosedReason } from './viability.ts';

/** A candidate in its place. */
export interface Member {
  readonly candidate: RoutingCandidate;
  /** What decisions show of it. */
  readonly selected: SelectedCandidate;
  /** Its group's number. */
  readonly group: number | null;
  /** Tells members of one capability apart, whatever their order, rank or stable id. */
  readonly key: string;
  /** Why it takes no new requests; undefined when it does. */
  readonly closed: ClosedReason | undefined;
}

/** A capability by the two things that tell it from others. */
export interface CapabilityName {
  readonly kind: CandidateKind;
  readonly name: string;
}

/** Members that compete. In canonical order, except that `deterministic` keeps the overlay's. */
export interface Group {
  /** Position among all groups of the snapshot. */
  readonly ordinal: number;
  readonly capability: CapabilityName;
  readonly index: number | null;
  readonly policy: SelectionPolicy;
  readonly members: readonly Member[];
  /** The members that take new requests. */
  readonly open: MemberSet;
}

/** All that serve one model or tool. */
export interface Capability extends CapabilityName {
  readonly policy: SelectionPolicy;
  /** Best first. */
  readonly groups: readonly Group[];
  readonly byStableId: ReadonlyMap<string, Member>;
  /** The best group with an open member: new requests go there and nowhere else. */
  readonly active: Group | undefined;
  /** Who a new request passes over, and why. */
  readonly skipped: readonly SkippedCandidate[];
  /** Whether it has an active group; cheaper than that. */
  readonly routable: boolean;
  /** The clusters of its members, some of them more than once; cheaper than its groups. */
  clusters(): Iterable<string>;
}

/** The capabilities of a snapshot, in the order of their groups' ordinals. */
export interface Capabilities extends Iterable<Capability> {
  readonly length: number;
  /** The capability of this exact kind and name. */
  find(wanted: CapabilityName): Capability | undefined;
  /** Whether {@link find} would find it. To look is not to ask. */
  has(wanted: CapabilityName): boolean;
}

/** An accepted overlay, indexed for requests. Immutable: a reload builds another one. */
export interface Snapshot {
  readonly revision: string;
  readonly capabilities: Capabilities;
  /** The capabilities of so many members that the first request for them must not wait until they are built. */
  readonly builtAhead: readonly Capability[];
  readonly candidateCount: number;
  readonly unknownClusters: readonly string[];
}

/** The capability of this exact kind and name. */
export function findCapability({ capabilities }: Snapshot, wanted: CapabilityName): Capability | undefined {
  return capabilities.find(wanted);
}
