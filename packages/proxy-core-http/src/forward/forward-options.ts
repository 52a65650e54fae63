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
   * Asked once with the upstream's head, before anything is sent. `commit` passes the answer on; `reject` throws it
   * away and {@link forward} resolves with `rejected`. Default: always `commit`.
   */
  readonly judge?: (head: UpstreamHead) => 'commit' | 'reject';
  /** Edits the (already filtered) flat headers of the answer; called once, at commit. Must not add framing headers. */
  readonly responseHeaders?: (headers: string[]) => string[];
  /** Called once, at commit: with the first byte of the body, or at the end of an answer without one. */
  readonly onFirstByte?: () => void;
}
