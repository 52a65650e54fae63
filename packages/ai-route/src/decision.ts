import type { AdmissionState, CandidateKind, SelectionPolicy } from '@switchyard/overlay-contract';
import type { StateNamer } from './affinity/state-holders.ts';
import type { AttemptOutcome } from './outcome/attempt-outcome.ts';

/** What is asked for: a capability, and whose conversation it belongs to. */
export interface RouteRequest {
  readonly kind: CandidateKind;
  /** The model or tool, compared exactly: no trimming, no case folding. */
  readonly name: string;
  /**
   * Names the conversation. 1 to 256 bytes, anything else counts as none. In affinity mode `cookie` it is the token that
   * {@link Selection.sessionToken} gave, of up to 2,048 characters. Never logged, exported or shown.
   */
  readonly sessionKey?: string | undefined;
  /**
   * Names something that exists at one provider only, such as an MCP session or a stored response; see
   * {@link Selection.learn}. When its holder is known, the request goes there or nowhere. 1 to 1,024 bytes.
   */
  readonly stateKey?: string | undefined;
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
 * `ejected` here for failing, or being probed; `already_tried` by this request; `lower_group`, because a better group
 * could serve.
 */
export type SkipReason =
  | 'excluded'
  | 'existing_only'
  | 'unknown_cluster'
  | 'ejected'
  | 'already_tried'
  | 'lower_group';

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

/**
 * How the candidate was found: by the policy, by its session (`affinity`), because it holds the state that the request
 * names (`state`), or as the least bad one when all are ejected (`last_resort`).
 */
export type DecisionReason =
  | 'first_in_order'
  | 'round_robin'
  | 'random'
  | 'weighted_random'
  | 'weighted_round_robin'
  | 'affinity'
  | 'state'
  | 'last_resort';

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

/** The answer to a request. `state_unavailable`: the one provider that holds the state can't take the request now. */
export type RouteResult =
  | { readonly ok: true; readonly selection: Selection }
  | RouteRefusal<'unknown_capability' | 'no_viable_candidate' | 'state_unavailable'>
  | NotReady;

/**
 * Why a request ends with the attempt it has: `not_retryable`, by the outcome table; `not_replayable`, it can't be sent
 * again as it came; `attempts_exhausted`, also after {@link Selection.end}; `too_slow`, later than `retry.withinMs`;
 * `budget_exhausted`, too much of the traffic is retries already; `no_viable_candidate`, nobody else is left.
 */
export type RetryRefusalReason =
  | 'not_retryable'
  | 'not_replayable'
  | 'attempts_exhausted'
  | 'too_slow'
  | 'budget_exhausted'
  | 'no_viable_candidate';

/** The answer to "where else?". */
export type RetryResult =
  | { readonly ok: true; readonly selection: Selection }
  | RouteRefusal<RetryRefusalReason>;

/**
 * One attempt of one request. Every request is ended, once, with {@link end} of its last attempt: until then it counts
 * as under way, for one to two hours at most.
 */
export interface Selection {
  readonly decision: RouteDecision;
  /**
   * The attempt came to this; where else? A candidate that this request has not tried: the untried viable members of the
   * best group first, then the next group. The order is that of the snapshot the request started with; candidates that
   * the current snapshot no longer admits are passed over. First picks of other requests are not disturbed.
   *
   * Can be asked as soon as the head of a response is there. Asked again after `not_retryable`, it looks anew: a response
   * that begins well may still stall. After any other answer it gives the same one.
   */
  next(outcome: AttemptOutcome): RetryResult;
  /** The first byte of an `answered` response is there: the candidate serves, however long the rest takes. */
  begin(): void;
  /**
   * The request ends with this attempt: its session is bound or let go, and the candidate's health told. Of an attempt
   * that another one followed it changes nothing: the request goes on there. A second time neither.
   */
  end(outcome: AttemptOutcome): void;
  /**
   * The state `stateKey` exists at this candidate: requests that name it go to its cluster and nowhere else.
   *
   * @param namedBy - `client` when nobody but the request itself named it: such names push out none of the others, however
   * many a client makes up. Default `provider`.
   */
  learn(stateKey: string, namedBy?: StateNamer): void;
  /**
   * In affinity mode `cookie`: the token for the client to keep if this attempt answers. Undefined when it has the right
   * one, and in every other mode.
   */
  sessionToken(): string | undefined;
}
