// Hot path: one object per request, no promise and no copy per chunk.
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { BodyPieces, isHeld } from '../body/body-pieces.ts';
import { ProxyHttpError } from '../errors.ts';
import { classifyFailure } from './classify.ts';
import { headersToSend } from './headers-to-send.ts';
import type {
  ConnectionState,
  ConnectionUser,
  TrackedClient,
  TrackedDispatchOptions,
} from './reuse-tracking.ts';
import type { UpstreamExchange, UpstreamFailure, UpstreamHandler, UpstreamRequest } from './upstream.ts';

/** How long after it was written a request may still be lost to an idle connection's close. */
interface ResendRule {
  /** Milliseconds; 0 = never send again. */
  readonly withinMs: number;
  readonly monotonicMs: () => number;
}

/** What an exchange is made of. */
export interface UndiciExchangeInput {
  readonly origin: string;
  /** Name to ask for in TLS, whatever `host` header the request carries; absent for plain origins and addresses. */
  readonly servername: string | undefined;
  readonly request: UpstreamRequest;
  readonly handler: UpstreamHandler;
  readonly resend: ResendRule;
  /** A connection that has never served, for one request. */
  readonly openFresh: () => TrackedClient;
  readonly closeFresh: (client: TrackedClient) => Promise<void>;
}

/**
 * One request through undici: its handler, and the handle the sender holds.
 *
 * The handler is of the kind that undici 7 itself works with (`onConnect`, `onHeaders`, ...). One of the newer kind
 * (`onRequestStart`, ...) would be wrapped in it, and headers and trailers made into objects that nobody reads.
 *
 * @internal
 */
export class UndiciExchange implements UpstreamExchange, Dispatcher.DispatchHandler, ConnectionUser {
  readonly #input: UndiciExchangeInput;
  /** Set once a connection has taken the request. */
  #abort: ((reason: Error) => void) | null = null;
  /** Goes on reading; set with the head of an answer. */
  #resume: (() => void) | null = null;
  #paused = false;
  #connection: ConnectionState | null = null;
  /** The connection had carried a request before this one. */
  #reused = false;
  #writtenAtMs = 0;
  #answered = false;
  #headSeen = false;
  /** The answer has no body whatever its head says (RFC 9112 §6.3). */
  #bodiless = false;
  #resent = false;
  /** Nothing is reported any more: ended, failed or aborted. */
  #done = false;

  constructor(input: UndiciExchangeInput) {
    this.#input = input;
  }

  /** Hands the request to `dispatcher`. */
  start(dispatcher: Dispatcher): void {
    const { request, origin, servername } = this.#input;
    const prepared = headersToSend(request);
    if (typeof prepared === 'string') {
      this.#fail({
        reason: 'local',
        error: new ProxyHttpError('local', `request to ${origin} refused: ${prepared}`),
      });
      return;
    }
    const { method, path } = request;
    const options: TrackedDispatchOptions = {
      method: method as Dispatcher.HttpMethod,
      path,
      headers: prepared,
      body: bodyToSend(request),
      servername,
      user: this,
    };
    dispatcher.dispatch(options, this);
  }

  onConnection(connection: ConnectionState): void {
    this.#connection = connection;
  }

  /** Sends the request on a connection of its own. */
  startFresh(): void {
    const { openFresh, closeFresh } = this.#input;
    const client = openFresh();
    this.start(client);
    // Graceful: takes effect when the exchange has ended.
    void closeFresh(client);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#resume?.();
  }

  abort(): void {
    if (this.#done) return;
    this.#done = true;
    if (this.#abort === null) this.#connection?.cancel();
    else this.#abort(new Error('aborted by the caller'));
  }

  onConnect(abort: (reason?: Error) => void): void {
    // Aborted while waiting for a connection. Throwing drops the request and leaves the connection to others; calling
    // `abort` would close it.
    if (this.#done) throw new Error('aborted by the caller');
    this.#abort = abort;
    const connection = this.#connection;
    if (connection !== null) this.#reused = connection.requestsOnSocket++ > 0;
    if (this.#reused) this.#writtenAtMs = this.#input.resend.monotonicMs();
  }

  onResponseStarted(): void {
    this.#answered = true;
  }

  /** @returns whether to go on reading, as does {@link onData}. */
  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void, statusMessage: string): boolean {
    this.#resume = resume;
    if (!this.#done && status >= 200) {
      this.#headSeen = true;
      this.#bodiless = status === 204 || status === 304;
      this.#input.handler.onHead({ status, statusMessage, headers: decodeHeaders(rawHeaders) });
    }
    return !this.#paused;
  }

  onData(chunk: Buffer): boolean {
    if (!this.#done) this.#input.handler.onData(chunk);
    return !this.#paused;
  }

  onComplete(): void {
    if (this.#done) return;
    if (this.#connection?.failed === true) {
      // An answer without a length "ended" by a reset.
      this.#fail(this.#classify(Object.assign(new Error('connection reset'), { code: 'ECONNRESET' })));
      return;
    }
    this.#done = true;
    this.#input.handler.onEnd();
  }

  onError(cause: Error): void {
    if (this.#done) return;
    if (this.#bodiless && 'code' in cause && cause.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      // undici waits for the bytes that a 304 only tells of, or a 204 should not; it has closed the connection.
      this.#done = true;
      this.#input.handler.onEnd();
      return;
    }
    const failure = this.#classify(cause);
    if (this.#mayResend(failure)) this.#resend();
    else this.#fail(failure);
  }

  #classify(cause: unknown): UpstreamFailure {
    const { origin } = this.#input;
    const sent = this.#abort !== null;
    return classifyFailure(cause, { origin, sent, answered: this.#answered, head: this.#headSeen });
  }

  /** Only what looks like an idle connection that was closed while the request was on its way. */
  #mayResend(failure: UpstreamFailure): boolean {
    if (failure.reason !== 'reset' || !this.#reused || this.#answered || this.#resent) return false;
    const { request, resend } = this.#input;
    if (request.body !== null && !isHeld(request.body)) return false;
    // A server that was silent for longer had taken the request and may have done the work.
    return resend.monotonicMs() - this.#writtenAtMs < resend.withinMs;
  }

  #resend(): void {
    this.#resent = true;
    this.#reused = false;
    this.#abort = null;
    this.#resume = null;
    this.#connection = null;
    this.startFresh();
  }

  #fail(failure: UpstreamFailure): void {
    this.#done = true;
    this.#input.handler.onError(failure);
  }
}

/** undici takes any iterable of Buffers as a body, which its types don't know, and writes them one after another. */
function bodyToSend({ body }: UpstreamRequest): Buffer | Readable | null {
  return body instanceof BodyPieces ? (body.pieces as readonly Buffer[] & Buffer) : body;
}

function decodeHeaders(raw: readonly Buffer[]): string[] {
  const headers: string[] = [];
  for (const part of raw) headers.push(part.toString('latin1'));
  return headers;
}
