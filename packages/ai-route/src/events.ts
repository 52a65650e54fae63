import type { OverlayIssue, OverlayIssueCode } from '@switchyard/overlay-contract';

/** Every {@link ReadFailureCode}. */
export const READ_FAILURE_CODES = ['missing', 'not_a_file', 'unreadable', 'worker_died'] as const;

/**
 * Why the overlay file could not be read at all. `worker_died`: the process that was reading it ended, killed or out of
 * memory; the next poll tries again.
 */
export type ReadFailureCode = (typeof READ_FAILURE_CODES)[number];

/**
 * Why a document is not served. `rollback_refused`: it is valid, but older than what was served. `internal_error` means
 * a defect in this package, and is worth a report.
 */
export type RejectionCode = OverlayIssueCode | 'rollback_refused' | 'internal_error';

/** A new overlay is being served. */
export interface AcceptedEvent {
  readonly type: 'accepted';
  readonly revision: string;
  /** Null for the first one. */
  readonly previousRevision: string | null;
  readonly candidateCount: number;
  readonly sourceGeneration: number | null;
}

/** The overlay file is absent or bad at start, so the copy of the last good one is served. */
export interface RestoredEvent {
  readonly type: 'restored';
  readonly revision: string;
  /** Where the copy is. */
  readonly file: string;
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
  /** Null while there has been no valid overlay yet. */
  readonly servingRevision: string | null;
}

/** The file is missing, not a regular file or not permitted; the last good overlay stays. */
export interface UnreadableEvent {
  readonly type: 'unreadable';
  readonly code: ReadFailureCode;
  readonly message: string;
  /** Null while there has been no valid overlay yet. */
  readonly servingRevision: string | null;
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

/** The overlay that is served has grown older than `maxAgeSeconds`. Told once per overlay. */
export interface ExpiredEvent {
  readonly type: 'expired';
  readonly revision: string;
  readonly ageSeconds: number;
  readonly maxAgeSeconds: number;
}

/** The last good overlay could not be kept for the next start; the next one is tried again. */
export interface LastGoodUnsavedEvent {
  readonly type: 'last_good_unsaved';
  readonly file: string;
  readonly message: string;
}

/** The overlay file is a mount of its own (`subPath`): what is published outside is never seen. Mount the directory. */
export interface StaticMountEvent {
  readonly type: 'static_mount';
  readonly file: string;
}

/** The worker process for large overlays can't be started; for a minute they are read on the thread of the requests. */
export interface WorkerFailedEvent {
  readonly type: 'worker_failed';
  readonly message: string;
}

/** What happens to an overlay router between requests. Meant to be logged and counted. */
export type RouterEvent =
  | AcceptedEvent
  | UnchangedEvent
  | RejectedEvent
  | UnreadableEvent
  | RollbackEvent
  | WatchDegradedEvent
  | UnknownClustersEvent
  | RestoredEvent
  | ExpiredEvent
  | LastGoodUnsavedEvent
  | StaticMountEvent
  | WorkerFailedEvent;
