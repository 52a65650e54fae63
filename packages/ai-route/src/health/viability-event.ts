import type { SelectedCandidate } from '../decision.ts';
import type { AttemptResult } from '../outcome/attempt-outcome.ts';

/** A candidate gets no requests for a while. */
export interface EjectedEvent {
  readonly type: 'ejected';
  readonly candidate: SelectedCandidate;
  /** What the last attempt came to. */
  readonly result: AttemptResult;
  /** For how long, in milliseconds. */
  readonly forMs: number;
  /** Whether the provider asked for it by `Retry-After`. */
  readonly asked: boolean;
}

/** A candidate that was ejected has answered, and serves again. */
export interface RecoveredEvent {
  readonly type: 'recovered';
  readonly candidate: SelectedCandidate;
}

/** What a gateway's own traffic teaches it about its candidates. Meant to be logged and counted. */
export type ViabilityEvent = EjectedEvent | RecoveredEvent;
