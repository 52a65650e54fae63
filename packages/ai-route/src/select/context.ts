import type { Session, SessionAffinity } from '../affinity/session-affinity.ts';
import type { RoutingTable } from '../pickers/picker-states.ts';
import type { Capability, Member } from '../snapshot/snapshot.ts';

/** What selecting needs besides the request. */
export interface SelectContext {
  /** What is served now, undefined before the first overlay. Asked once per decision, so that a decision never mixes two snapshots. */
  readonly current: () => RoutingTable | undefined;
  readonly affinity: SessionAffinity | undefined;
  /** Candidates one request may try. */
  readonly attemptsMax: number;
}

/** What the attempts of one request share. */
export interface RequestState {
  readonly context: SelectContext;
  /** The table the request started with; it fixes the order of all its attempts. */
  readonly table: RoutingTable;
  readonly capability: Capability;
  readonly session: Session | undefined;
  /** Members in the order they were tried; at least one. */
  readonly tried: Member[];
  /** Whether the outcome is known. */
  settled: boolean;
}
