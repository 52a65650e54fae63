import type { ServerResponse } from 'node:http';
import type { Upstream, UpstreamHead, UpstreamRequest } from '../upstream/upstream.ts';
import type { ForwardTimeouts } from './timers.ts';

/** One exchange to forward. */
export interface ForwardOptions {
  readonly upstream: Upstream;
  /** The response to the client. Nothing may have been written to it. */
  readonly outgoing: ServerResponse;
  /** What to send; `headers` are final, see {@link filterRequestHeaders}. */
  readonly request: UpstreamRequest;
  readonly timeouts?: ForwardTimeouts;
  /**
   * Asked once with the upstream's head, before anything is sent. `commit` passes the answer on once its first byte is
   * here; `commit_at_head` passes the head on now, for streams whose first byte may come much later; `reject` throws
   * the answer away and {@link forward} resolves with `rejected`. Default: always `commit`.
   */
  readonly judge?: (head: UpstreamHead) => Verdict;
  /** Edits the (already filtered) flat headers of the answer; called once, at commit. Must not add framing headers. */
  readonly responseHeaders?: (headers: string[]) => string[];
  /** Called once, at commit: with the head or the first byte of the body (see `judge`), or at the end of an answer without one. */
  readonly onFirstByte?: () => void;
  /** Sees the pieces of the answer's body as they are passed on, until it returns false. Must not change them, nor throw. */
  readonly onPiece?: (piece: Buffer) => boolean;
}

/** What becomes of an answer, see {@link ForwardOptions.judge}. */
export type Verdict = 'commit' | 'commit_at_head' | 'reject';
