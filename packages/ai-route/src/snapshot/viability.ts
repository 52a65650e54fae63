import type { SkipReason } from '../decision.ts';
import type { RoutingCandidate } from './routing-overlay.ts';

/** Why a candidate takes no new requests, whoever asks. */
export type ClosedReason = Extract<SkipReason, 'excluded' | 'existing_only' | 'unknown_cluster'>;

/** The clusters the gateway has; undefined when it did not say, and then every cluster counts as known. */
export type KnownClusters = ReadonlySet<string> | undefined;

/** Why `candidate` takes no new requests; undefined when it does. */
export function closedReason(candidate: RoutingCandidate, known: KnownClusters): ClosedReason | undefined {
  if (candidate.admissionState === 'excluded') return 'excluded';
  if (known !== undefined && !known.has(candidate.cluster)) return 'unknown_cluster';
  return candidate.admissionState === 'existing_only' ? 'existing_only' : undefined;
}

/** Whether a session already bound to the candidate may stay: `existing_only` closes it to new sessions alone. */
export function servesBoundSessions(closed: ClosedReason | undefined): boolean {
  return closed === undefined || closed === 'existing_only';
}
