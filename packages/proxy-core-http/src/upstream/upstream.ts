import type { Readable } from 'node:stream';
import type { HeldBody } from '../body/body-pieces.ts';
import type { FailureReason, ProxyHttpError } from '../errors.ts';

/** One request to be sent. Headers are final: nothing is added but `host`, `connection` and the framing. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query exactly as to be sent; starts with `/`. */
  readonly path: string;
  /** Flat `name, value, name, value, ...`; order, case and duplicates of names are kept. */
  readonly headers: readonly string[];
  /**
   * A body in memory (or `null`) can be sent twice and its `content-length` is computed; a Readable is sent once, with
   * the `content-length` found in `headers`, or chunked.
   */
  readonly body: HeldBody | Readable | null;
  /**
   * What the request does must not be done twice: it gets a connection of its own, on which no keep-alive race can lose
   * it, and is never sent again. Default false.
   */
  readonly once?: boolean;
}

/** Head of the final answer (never a 1xx). */
export interface UpstreamHead {
  readonly status: number;
  /** Reason phrase as received; may be empty. */
  readonly statusMessage: string;
  /** Flat raw headers as received, decoded as latin1. */
  readonly headers: readonly string[];
}

/** Why an exchange ended without a complete answer. */
export interface UpstreamFailure {
  /** Never `first_byte_timeout`: time limits belong to the caller. */
  readonly reason: Exclude<FailureReason, 'first_byte_timeout'>;
  readonly error: ProxyHttpError;
}

/**
 * What the sender of a request wants to hear. Calls come in the order `onHead`, `onData`*, then exactly one of
 * `onEnd` and `onError`; after {@link UpstreamExchange.abort} there are none. Callbacks must not throw. `onError`
 * may be called before `dispatch` returns.
 */
export interface UpstreamHandler {
  onHead(head: UpstreamHead): void;
  onData(chunk: Buffer): void;
  /** The answer is complete and its framing was intact. Trailers are dropped. */
  onEnd(): void;
  onError(failure: UpstreamFailure): void;
}

/** Handle on one request in flight. */
export interface UpstreamExchange {
  /** Stops reading the answer from the socket until {@link UpstreamExchange.resume}. */
  pause(): void;
  resume(): void;
  /** Ends the exchange in whatever phase it is; its socket is closed unless it had not been used yet. Idempotent. */
  abort(): void;
}

/** One origin and its kept-alive connections. */
export interface Upstream {
  /** `scheme://host:port`. */
  readonly origin: string;
  dispatch(request: UpstreamRequest, handler: UpstreamHandler): UpstreamExchange;
  /** Lets exchanges in flight finish, then closes every connection. New requests fail with `local`. */
  close(): Promise<void>;
  /** Closes every connection now; exchanges in flight fail. */
  destroy(): Promise<void>;
}
