import type { OverlayIssue, OverlayIssueCode } from '@switchyard/overlay-contract';

/** Why the overlay file could not be read at all. */
export type ReadFailureCode = 'missing' | 'not_a_file' | 'unreadable';

/** Why a document is not served. `internal_error` means a defect in this package, and is worth a report. */
export type RejectionCode = OverlayIssueCode | 'internal_error';

/** A new overlay is being served. */
export interface AcceptedEvent {
  readonly type: 'accepted';
  readonly revision: string;
  /** Null for the first one. */
  readonly previousRevision: string | null;
  readonly candidateCount: number;
  readonly sourceGeneration: number | null;
}

/** The file was read again and says what is served already; snapshot and turns are untouched. */
export interface UnchangedEvent {
  readonly type: 'unchanged';
  readonly revision: string;
  readonly reason: 'same_bytes' | 'same_revision';
}

/** The document is not valid; the last good one stays. */
export interface RejectedEvent {
  readonly type: 'rejected';
  /** The code of the first issue. */
  readonly code: RejectionCode;
  /** Every issue in one line. */
  readonly message: string;
  readonly issues: readonly OverlayIssue[];
  /** The revision the document claims, when it could be read. */
  readonly revision: string | null;
  readonly servingRevision: string;
}

/** The file is missing, not a regular file or not permitted; the last good overlay stays. */
export interface UnreadableEvent {
  readonly type: 'unreadable';
  readonly code: ReadFailureCode;
  readonly message: string;
  readonly servingRevision: string;
}

/** An overlay of an older generation of the same source is about to be served. */
export interface RollbackEvent {
  readonly type: 'rollback';
  readonly revision: string;
  readonly sourceGeneration: number;
  readonly previousGeneration: number;
}

/** The system refuses file events; polling carries on alone. */
export interface WatchDegradedEvent {
  readonly type: 'watch_degraded';
  /** The system's own code, such as `EMFILE` or `ENOSPC`. */
  readonly code: string;
  readonly message: string;
}

/** The overlay names clusters this gateway doesn't have; their candidates get no requests. */
export interface UnknownClustersEvent {
  readonly type: 'unknown_clusters';
  readonly revision: string;
  readonly clusters: readonly string[];
}

/** What happens to an overlay router between requests. Meant to be logged and counted. */
export type RouterEvent =
  | AcceptedEvent
  | UnchangedEvent
  | RejectedEvent
  | UnreadableEvent
  | RollbackEvent
  | WatchDegradedEvent
  | UnknownClustersEvent;
