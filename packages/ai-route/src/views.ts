import type {
  AdmissionState,
  CandidateKind,
  OverlayIssue,
  SelectionPolicy,
} from '@switchyard/overlay-contract';
import type { RouteDecision, SkipReason } from './decision.ts';
import type { ReadFailureCode, RejectionCode } from './events.ts';

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
}

/** Providers that compete with one another. */
export interface GroupView {
  /** Null when the capability has no groups. */
  readonly group: number | null;
  /** Whether new requests go here: the best group with a viable member. */
  readonly active: boolean;
  /** Stable id of the member whose turn is next; null when chance decides or nobody can serve. */
  readonly nextTurn: string | null;
  readonly members: readonly MemberView[];
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
  /** `drawn_at_random`: the eligible members of the active group compete, and only a real request draws. */
  readonly outcome: 'decided' | 'drawn_at_random' | 'unknown_capability' | 'no_viable_candidate';
  /** Null unless `outcome` is `decided`. */
  readonly decision: RouteDecision | null;
  readonly servingRevision: string;
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

/** The state of a router, for admin pages, health and metrics. */
export interface RouterStatus {
  readonly mode: 'static' | 'overlay';
  /** The newest revision accepted. */
  readonly acceptedRevision: string;
  /** The revision new requests are served from. The swap is atomic, so it equals the accepted one. */
  readonly servingRevision: string;
  /** The overlay file, absolute; null in static mode. */
  readonly sourcePath: string | null;
  /** When the serving overlay was accepted, in milliseconds since the Unix epoch. */
  readonly loadedAt: number;
  /** Null for static and legacy overlays, which have no provenance. */
  readonly sourceGeneration: number | null;
  readonly candidateCount: number;
  /** Present while the file is bad and an earlier overlay is served: ready, but degraded. */
  readonly lastRejected?: LastRejection;
  readonly counters: ReloadCounters;
  /** `poll` alone means that the system refuses file events; `off` in static mode or when reload is disabled. */
  readonly watch: 'events+poll' | 'poll' | 'off';
  readonly unknownClusters: readonly string[];
}
