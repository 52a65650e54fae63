import type { Overlay, OverlayIssue, OverlayIssueCode } from '@switchyard/overlay-contract';
import type { AbsentReason, ReconnectReason, UnavailableReason } from '../source/source.ts';

/** Why a valid document changes no revision. `same_revision`: other bytes, so the file is written all the same. */
type UnchangedReason = 'same_bytes' | 'same_revision';

/** Everything that happens, for state, metrics and log alike. */
export type SyncEvent =
  /** A valid document stood in the output file before this process began. */
  | { readonly type: 'found_output'; readonly overlay: Overlay; readonly size: number }
  /** The source has a valid document with another revision than the last one. */
  | { readonly type: 'accepted'; readonly overlay: Overlay; readonly size: number }
  | {
      readonly type: 'unchanged';
      readonly reason: UnchangedReason;
      readonly overlay: Overlay;
      readonly size: number;
    }
  | {
      readonly type: 'rejected';
      /** Code of the first issue. */
      readonly code: OverlayIssueCode;
      readonly issues: readonly OverlayIssue[];
      readonly size: number;
    }
  | { readonly type: 'absent'; readonly reason: AbsentReason; readonly message: string }
  | { readonly type: 'unavailable'; readonly reason: UnavailableReason; readonly message: string }
  | { readonly type: 'alive' }
  | { readonly type: 'reconnecting'; readonly reason: ReconnectReason }
  /** The output file was replaced. `restored`: it held this document before, and somebody removed or edited it. */
  | { readonly type: 'written'; readonly revision: string; readonly restored: boolean }
  /** The output file was looked at and holds what it should. */
  | { readonly type: 'intact'; readonly revision: string }
  | { readonly type: 'write_failed'; readonly revision: string; readonly message: string };

/** Takes what happens. Must not throw. */
export type SyncObserver = (event: SyncEvent) => void;
