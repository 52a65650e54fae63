import type { FailureReason, ProxyHttpError } from '../errors.ts';

/** How {@link forward} ended. Exactly one; it never rejects. */
export type ForwardOutcome =
  /** The whole answer was handed to the operating system for the client. */
  | { readonly kind: 'completed'; readonly status: number; readonly responseBytes: number }
  /** `judge` said no: nothing was sent, the upstream's body is thrown away. `retryAfter` is the header as received. */
  | { readonly kind: 'rejected'; readonly status: number; readonly retryAfter?: string }
  /** Nothing was sent: the caller may try elsewhere (see {@link FailureReason}) or answer by itself. */
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly error: ProxyHttpError }
  /** Broken off after commit. The client's socket was destroyed, so that it can't take the rest for a clean end. */
  | {
      readonly kind: 'broken';
      readonly reason: BrokenReason;
      readonly status: number;
      readonly responseBytes: number;
    }
  /**
   * The client left, or took nothing of a waiting answer for `idleMs`; the upstream was aborted. `committed` tells
   * whether anything had been sent to it, `responseBytes` how much of the body.
   */
  | { readonly kind: 'client_gone'; readonly committed: boolean; readonly responseBytes: number };

/** Why an answer was broken off. */
export type BrokenReason = 'upstream_cut' | 'idle_timeout' | 'total_timeout';
