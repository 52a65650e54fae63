import type { AdmissionState, CandidateKind, SelectionPolicy } from '@switchyard/overlay-contract';

/** What is asked for: a capability, and whose conversation it belongs to. */
export interface RouteRequest {
  readonly kind: CandidateKind;
  /** The model or tool, compared exactly: no trimming, no case folding. */
  readonly name: string;
  /** Names the conversation. 1 to 256 bytes, anything else counts as none. Never logged, exported or shown. */
  readonly sessionKey?: string | undefined;
}

/** The provider a request goes to. */
export interface SelectedCandidate {
  readonly kind: CandidateKind;
  readonly name: string;
  readonly site: string;
  /** The name of the cluster to forward to; the caller finds it in its own registry. */
  readonly cluster: string;
  readonly stableId: string;
  readonly rank: number | null;
}

/**
 * Why a candidate was passed over: `excluded` by admission, or withdrawn while the request was under way;
 * `existing_only`, and this request isn't bound to it; `unknown_cluster`, which this gateway doesn't have;
 * `already_tried` by this request; `lower_group`, because a better group could serve.
 */
export type SkipReason = 'excluded' | 'existing_only' | 'unknown_cluster' | 'already_tried' | 'lower_group';

/** A candidate that was passed over, and why. Members that merely await their turn are not listed. */
export interface SkippedCandidate {
  readonly stableId: string;
  readonly cluster: string;
  readonly reason: SkipReason;
}

/**
 * What affinity had to say: a new binding was `created`, a valid one `reused`, a lost one `failed_over` to another
 * provider, or affinity is `disabled`: switched off, or the request has no usable session key.
 */
export type AffinityOutcome = 'created' | 'reused' | 'failed_over' | 'disabled';

/** How the candidate was found. */
export type DecisionReason =
  | 'first_in_order'
  | 'round_robin'
  | 'random'
  | 'weighted_random'
  | 'weighted_round_robin'
  | 'affinity';

/** The record of one decision. Spans, metrics, logs and `explain` all show this and nothing else. */
export interface RouteDecision {
  /** The policy in force for the capability; `deterministic` when the overlay gives it no groups. */
  readonly policy: SelectionPolicy;
  /** The selection group chosen from; null when the capability has no groups. */
  readonly group: number | null;
  readonly candidate: SelectedCandidate;
  readonly admissionState: AdmissionState;
  /** The newest revision the router had accepted when it decided. */
  readonly acceptedRevision: string;
  /** The revision of the snapshot that explains the decision. Older than accepted only for a retry after a reload. */
  readonly servingRevision: string;
  readonly affinity: AffinityOutcome;
  /** 1 for the first try of a request. */
  readonly attempt: number;
  readonly reason: DecisionReason;
  /** Whether this attempt left the group of the one before it. */
  readonly fallthrough: boolean;
  readonly skipped: readonly SkippedCandidate[];
}

/** No candidate could be named. */
export interface RouteRefusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
  readonly skipped: readonly SkippedCandidate[];
  readonly servingRevision: string;
}

/** No valid overlay has been read yet. It may be there in a moment: whatever is asked for, ask again later. */
export interface NotReady {
  readonly ok: false;
  readonly reason: 'not_ready';
  readonly skipped: readonly SkippedCandidate[];
  readonly servingRevision: null;
}

/** The answer to a request. */
export type RouteResult =
  | { readonly ok: true; readonly selection: Selection }
  | RouteRefusal<'unknown_capability' | 'no_viable_candidate'>
  | NotReady;

/** The answer to "where else?". `attempts_exhausted` also after {@link Selection.confirm} or {@link Selection.fail}. */
export type RetryResult =
  | { readonly ok: true; readonly selection: Selection }
  | RouteRefusal<'attempts_exhausted' | 'no_viable_candidate'>;

/** One attempt of one request. Settle the last one with {@link confirm} or {@link fail}; a second call is ignored. */
export interface Selection {
  readonly decision: RouteDecision;
  /**
   * Another candidate after this one failed, never one this request tried before: the untried viable members of the
   * best group first, then the next group. The order is that of the snapshot the request started with; candidates
   * that the current snapshot no longer admits are passed over. First picks of other requests are not disturbed.
   */
  next(): RetryResult;
  /** The attempt succeeded: the session is now bound to its candidate. */
  confirm(): void;
  /** The request ended without success: a binding that no attempt has confirmed is dropped. */
  fail(): void;
}
