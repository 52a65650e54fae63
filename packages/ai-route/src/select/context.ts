import type { Affinity, Session } from '../affinity/session.ts';
import type { StateHolders } from '../affinity/state-holders.ts';
import type { Clock } from '../clock.ts';
import type { ViabilityEvent } from '../health/viability-event.ts';
import type { LiveStates } from '../live/live-states.ts';
import type { Standing } from '../live/standing.ts';
import type { Tally } from '../live/under-way.ts';
import type { RetryPolicy } from '../retry/retry-policy.ts';
import type { RetryRefusals } from '../retry/retry-refusals.ts';
import type { Member } from '../snapshot/snapshot.ts';
import type { RoutingTable } from '../turns/picker-states.ts';

/** What selecting needs besides the request. */
export interface SelectContext {
  /** What is served now, undefined before the first overlay. Asked once per decision, so that a decision never mixes two snapshots. */
  readonly current: () => RoutingTable | undefined;
  readonly affinity: Affinity | undefined;
  readonly holders: StateHolders;
  readonly states: LiveStates;
  readonly retry: RetryPolicy;
  readonly refusals: RetryRefusals;
  readonly onViability: (event: ViabilityEvent) => void;
  readonly clock: Clock;
}

/** What the attempts of one request share. */
export interface RequestState {
  readonly context: SelectContext;
  /** The table the request started with; it fixes the order of all its attempts. */
  readonly table: RoutingTable;
  readonly standing: Standing;
  readonly session: Session | undefined;
  /** What it is counted in until it ends. */
  readonly tally: Tally;
  /** Whether only the holder of its state may serve it. */
  readonly held: boolean;
  /** By the monotonic clock. */
  readonly startedMs: number;
  /** Members in the order they were tried; at least one. */
  readonly tried: Member[];
  /** Whether it has gone on to a second attempt. */
  retrying: boolean;
  ended: boolean;
}
