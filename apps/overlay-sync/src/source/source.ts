/** Why a source has no document. */
export type AbsentReason = 'deleted' | 'missing_key';

/** Why nobody knows what the source has. */
export type UnavailableReason = 'api_unavailable' | 'stale' | 'unreadable';

/** Why a watch began anew. */
export type ReconnectReason = 'stream_ended' | 'stream_error' | 'expired' | 'stale';

/** What a source tells. */
export type SourceEvent =
  /** The document as it stands there now, byte for byte; at most a little longer than the limit, when it is too long. */
  | { readonly type: 'document'; readonly bytes: Uint8Array }
  /** The source answered: there is none. */
  | { readonly type: 'absent'; readonly reason: AbsentReason; readonly message: string }
  /** The source doesn't answer, or not fit to be understood. What was known of it stays. */
  | { readonly type: 'unavailable'; readonly reason: UnavailableReason; readonly message: string }
  /** The source answered; there is nothing new. */
  | { readonly type: 'alive' }
  | { readonly type: 'reconnecting'; readonly reason: ReconnectReason };

/** Takes what a source tells. */
export type SourceListener = (event: SourceEvent) => void;

/** Where documents come from. */
export interface OverlaySource {
  /** Begins to tell. Never throws: what is wrong is told as an event, and tried again. */
  start(): void;
  /** Ends it; nothing is told afterwards. */
  close(): Promise<void>;
}
