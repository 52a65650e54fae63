import type {
  AdmissionState,
  CandidateKind,
  OverlayIssue,
  SelectionPolicy,
} from '@switchyard/overlay-contract';
import type { RouteDecision, SkipReason } from './decision.ts';
import type { ReadFailureCode, RejectionCode } from './events.ts';
import type { RetryRefusals } from './retry/retry-refusals.ts';

/** How a candidate has served this gateway lately. */
export interface MemberHealthView {
  /**
   * `well`: serves. `ejected`: gets nothing for a while. `due`: its time is over, and the next request is its probe.
   * `probing`: that one is under way.
   */
  readonly state: 'well' | 'ejected' | 'due' | 'probing';
  /** Failures in a row. */
  readonly failures: number;
  /** Ejections in a row, those that the provider asked for by `Retry-After` left out. */
  readonly ejections: number;
  /** Milliseconds until it is due; null while `well`. */
  readonly returnsInMs: number | null;
}

/** A candidate that is ejected, or being probed. */
export interface EjectedCandidate extends MemberHealthView {
  readonly kind: CandidateKind;
  readonly name: string;
  readonly site: string;
  readonly cluster: string;
  readonly stableId: string;
}

/** What this gateway's own traffic has taught it, and what is under way. */
export interface TrafficView {
  /** Requests that have not ended; one that began two hours ago counts as lost. */
  readonly inFlight: number;
  /** Those of them that are past their first attempt. */
  readonly retrying: number;
  /** How often an attempt that failed could not be followed by another, by reason. Counted from start. */
  readonly refusedRetries: Readonly<RetryRefusals>;
  /** Who is ejected now. */
  readonly ejected: readonly EjectedCandidate[];
  /** Counted from start. */
  readonly ejections: number;
  /** Requests that went to a candidate to find out if it is well again. Counted from start. */
  readonly probes: number;
}

/** One candidate as an operator sees it. */
export interface MemberView {
  readonly stableId: string;
  readonly site: string;
  readonly cluster: string;
  readonly rank: number | null;
  readonly admissionState: AdmissionState;
  readonly selectionTier: string | null;
  readonly trafficWeight: number | null;
  readonly fresh: boolean;
  /** Whether it can take new requests. */
  readonly viable: boolean;
  /** Why it can't; null when viable. */
  readonly reason: SkipReason | null;
  readonly health: MemberHealthView;
}

/** Providers that compete with one another. */
export interface GroupView {
  /** Null when the capability has no groups. */
  readonly group: number | null;
  /** Whether new requests go here: the best group with a viable member, or, when all are ejected, with the least bad. */
  readonly active: boolean;
  /** Stable id of the member whose turn is next; null when chance decides or nobody can serve. */
  readonly nextTurn: string | null;
  readonly members: readonly MemberView[];
}

/** Which capabilities are meant: those of a kind, of a name, or all. */
export interface RouteFilter {
  readonly kind?: CandidateKind | undefined;
  readonly name?: string | undefined;
}

/** A model or tool, and where it may be served. */
export interface CapabilitySummary {
  readonly kind: CandidateKind;
  readonly name: string;
  /** Whether a new request would be served at all. */
  readonly routable: boolean;
  /** The clusters of its candidates, whether the gateway has them or not; some come more than once. */
  clusters(): Iterable<string>;
}

/** Everything that serves one model or tool, best group first. */
export interface CapabilityView {
  readonly kind: CandidateKind;
  readonly name: string;
  readonly policy: SelectionPolicy;
  /** Whether a new request would be served at all. */
  readonly routable: boolean;
  readonly groups: readonly GroupView[];
}

/** What `explain` says about one candidate: it would be `chosen`, it is `eligible` but not now, or why not. */
export interface ExplainedCandidate extends MemberView {
  readonly group: number | null;
  readonly verdict: 'chosen' | 'eligible' | SkipReason;
}

/** The decision a request would get now, and every candidate's part in it. Asking changes nothing. */
export interface RouteExplanation {
  readonly kind: CandidateKind;
  readonly name: string;
  /**
   * `drawn_at_random`: the eligible members of the active group compete, and only a real request draws.
   * `state_unavailable`: who holds the state that the request names can't take it now.
   */
  readonly outcome:
    | 'decided'
    | 'drawn_at_random'
    | 'unknown_capability'
    | 'no_viable_candidate'
    | 'state_unavailable'
    | 'not_ready';
  /** Null unless `outcome` is `decided`. */
  readonly decision: RouteDecision | null;
  /** Null when `not_ready`. */
  readonly servingRevision: string | null;
  readonly candidates: readonly ExplainedCandidate[];
}

/** The most recent refusal of the overlay file. */
export interface LastRejection {
  readonly code: RejectionCode | ReadFailureCode;
  readonly message: string;
  readonly issues: readonly OverlayIssue[];
  /** The revision the document claims, when it could be read. */
  readonly revision: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** How often the file was read, by what came of it. Counted from start. */
export interface ReloadCounters {
  readonly accepted: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly unreadable: number;
}

/**
 * What is not as it should be: `no_overlay`, none has been valid yet; `source_rejected` and `source_unreadable`, the
 * last good one is served; `last_good_copy`, started from the copy; `expired`, older than `maxAgeSeconds`.
 */
export type HealthReasonCode =
  | 'no_overlay'
  | 'source_rejected'
  | 'source_unreadable'
  | 'last_good_copy'
  | 'expired';

/** One thing that is not as it should be. */
export interface HealthReason {
  readonly code: HealthReasonCode;
  /** For people. */
  readonly message: string;
}

/** Whether the router should get requests. It answers them as well as it can in any case. */
export interface RouterHealth {
  /** `degraded`: it serves, but somebody should look. */
  readonly state: 'ready' | 'degraded' | 'not_ready';
  /** Empty when `ready`. */
  readonly reasons: readonly HealthReason[];
}

/** The copy of the last good overlay. */
export interface LastGoodFileView {
  /** Absolute. */
  readonly path: string;
  /** When this router last wrote it, in milliseconds since the Unix epoch; null when it hasn't. */
  readonly savedAt: number | null;
  /** Why the last write failed; null when it didn't. */
  readonly error: string | null;
}

/** The state of a router, for admin pages, health and metrics. */
export interface RouterStatus {
  readonly mode: 'static' | 'overlay';
  readonly health: RouterHealth;
  /** The newest revision accepted; null while there is none. */
  readonly acceptedRevision: string | null;
  /** The revision new requests are served from. The swap is atomic, so it equals the accepted one. */
  readonly servingRevision: string | null;
  /** Where the serving overlay came from; null while there is none. */
  readonly servedFrom: 'inline' | 'source' | 'last_good_file' | null;
  /** The overlay file, absolute; null in static mode. */
  readonly sourcePath: string | null;
  /** When the serving overlay was put into service, in milliseconds since the Unix epoch. */
  readonly loadedAt: number | null;
  /** When its producer rendered it, likewise; null for static and legacy overlays. */
  readonly renderedAt: number | null;
  /** When the file was last read and found to hold what is served, likewise. */
  readonly confirmedAt: number | null;
  /** Seconds since `renderedAt`, or since `loadedAt` for an overlay that doesn't say; null in static mode. */
  readonly ageSeconds: number | null;
  /** Null for static and legacy overlays, which have no provenance. */
  readonly sourceGeneration: number | null;
  readonly candidateCount: number;
  /** Present while the file is bad and an earlier overlay, or none, is served. */
  readonly lastRejected?: LastRejection;
  readonly counters: ReloadCounters;
  /** `poll` alone means that the system refuses file events; `off` in static mode or when reload is disabled. */
  readonly watch: 'events+poll' | 'poll' | 'off';
  readonly unknownClusters: readonly string[];
  /** Null when none is configured. */
  readonly lastGoodFile: LastGoodFileView | null;
}
