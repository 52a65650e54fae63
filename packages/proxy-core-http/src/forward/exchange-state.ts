// Hot path: one object per exchange; per chunk one write, one timer refresh, no promise.
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HeldBody, isHeld } from '../body/body-pieces.ts';
import { DetachableBody } from '../body/detachable-body.ts';
import { discardBody } from '../body/discard-body.ts';
import { describeCause, type FailureReason, ProxyHttpError } from '../errors.ts';
import { filterResponseHeaders, firstHeader } from '../headers/filter-response-headers.ts';
import type {
  UpstreamExchange,
  UpstreamFailure,
  UpstreamHandler,
  UpstreamHead,
} from '../upstream/upstream.ts';
import { DiscardingExchange } from './discarding-exchange.ts';
import type { ForwardOptions, Verdict } from './forward-options.ts';
import type { BrokenReason, ForwardOutcome } from './outcome.ts';
import { breakResponse, writeHead } from './response-writer.ts';
import { ExchangeTimers, type ExpiredTimer } from './timers.ts';

/**
 * The states of one forwarded exchange: waiting for the head, holding it, streaming, settled.
 *
 * @internal
 */
export class ForwardExchange implements UpstreamHandler {
  readonly #options: ForwardOptions;
  readonly #outgoing: ServerResponse;
  readonly #resolve: (outcome: ForwardOutcome) => void;
  readonly #timers: ExchangeTimers;
  #exchange: UpstreamExchange | null = null;
  /** The streamed request body as the upstream sees it. */
  #upload: DetachableBody | null = null;
  #head: UpstreamHead | null = null;
  /** The headers as sent; `null` until commit. */
  #sentHeaders: readonly string[] | null = null;
  #responseBytes = 0;
  /** Whether `onPiece` wants to see more. */
  #watched = true;
  #settled = false;
  /** After a rejection: takes the rest of the answer. */
  #discarding: DiscardingExchange | null = null;
  /** Set while a pipelined response still waits for its turn on the socket: it has no events of its own yet. */
  #queuedOn: Socket | null = null;

  constructor(options: ForwardOptions, resolve: (outcome: ForwardOutcome) => void) {
    this.#options = options;
    this.#outgoing = options.outgoing;
    this.#resolve = resolve;
    this.#timers = new ExchangeTimers(options.timeouts ?? {}, this.#onExpired);
  }

  start(): void {
    const { outgoing, request, upstream } = this.#options;
    const socket = outgoing.socket ?? outgoing.req.socket;
    if (this.#clientLeft()) {
      this.#settle({ kind: 'client_gone', committed: outgoing.headersSent, responseBytes: 0 });
      return;
    }
    outgoing.on('close', this.#onClientClosed);
    if (outgoing.socket === null) {
      this.#queuedOn = socket;
      socket.on('close', this.#onClientClosed);
    }
    const body = this.#prepareBody();
    this.#exchange = upstream.dispatch({ ...request, body }, this);
    // The request may have failed at once, before there was an exchange to give up.
    if (this.#settled && this.#discarding === null) this.#exchange.abort();
  }

  onHead(head: UpstreamHead): void {
    this.#head = head;
    const { judge } = this.#options;
    if (judge === undefined) return;
    let verdict: Verdict;
    try {
      verdict = judge(head);
    } catch (cause) {
      this.#failLocally('judge threw', cause);
      return;
    }
    if (verdict === 'reject') this.#reject(head);
    else if (verdict === 'commit_at_head' && this.#commit()) this.#outgoing.flushHeaders();
  }

  onData(chunk: Buffer): void {
    if (this.#discarding !== null) {
      this.#discarding.onData(chunk);
      return;
    }
    if (this.#settled || !this.#commit()) return;
    if (this.#outgoing.destroyed) {
      this.#onClientClosed();
      return;
    }
    this.#responseBytes += chunk.length;
    this.#timers.progress();
    if (this.#watched && this.#options.onPiece?.(chunk) !== true) this.#watched = false;
    if (!this.#outgoing.write(chunk)) this.#exchange?.pause();
  }

  onEnd(): void {
    if (this.#discarding !== null) {
      this.#discarding.stop();
      return;
    }
    if (this.#settled || !this.#commit()) return;
    this.#outgoing.end(this.#onFinished);
  }

  onError(failure: UpstreamFailure): void {
    if (this.#discarding !== null) this.#discarding.stop();
    // Its socket may be gone before its 'close' is heard; the upstream is not to blame then.
    else if (this.#clientLeft()) this.#onClientClosed();
    else if (this.#sentHeaders !== null) this.#break('upstream_cut');
    else this.#fail(failure.reason, failure.error);
  }

  #clientLeft(): boolean {
    const outgoing = this.#outgoing;
    return outgoing.destroyed || (outgoing.socket ?? outgoing.req.socket).destroyed;
  }

  #prepareBody(): HeldBody | DetachableBody | null {
    const { body } = this.#options.request;
    if (body === null || isHeld(body)) return body;
    this.#upload = new DetachableBody(body, () => {
      if (this.#sentHeaders === null) this.#timers.progress();
    });
    return this.#upload;
  }

  /** Sends the head, once. `false`: it could not be sent, and the exchange is over. */
  #commit(): boolean {
    if (this.#sentHeaders !== null) return true;
    const head = this.#head;
    if (head === null) return false;
    const { responseHeaders, onFirstByte } = this.#options;
    try {
      const filtered = filterResponseHeaders(head.headers, head.status);
      const headers = responseHeaders === undefined ? filtered : responseHeaders(filtered);
      onFirstByte?.();
      writeHead(this.#outgoing, { status: head.status, statusMessage: head.statusMessage, headers });
      this.#sentHeaders = headers;
    } catch (cause) {
      this.#failLocally('the head of the answer could not be written', cause);
      return false;
    }
    this.#timers.committed();
    this.#outgoing.on('drain', this.#onDrain);
    return true;
  }

  #reject(head: UpstreamHead): void {
    const retryAfter = firstHeader(head.headers, 'retry-after');
    this.#discarding = new DiscardingExchange(() => this.#exchange?.abort());
    this.#settle({
      kind: 'rejected',
      status: head.status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }

  #fail(reason: FailureReason, error: ProxyHttpError): void {
    this.#settle({ kind: 'failed', reason, error });
  }

  #failLocally(what: string, cause: unknown): void {
    this.#exchange?.abort();
    this.#fail('local', new ProxyHttpError('local', `${what}: ${describeCause(cause)}`, { cause }));
  }

  #break(reason: BrokenReason): void {
    if (this.#settled) return;
    const status = this.#head?.status ?? 0;
    this.#settle({ kind: 'broken', reason, status, responseBytes: this.#responseBytes });
    breakResponse(this.#outgoing, this.#sentHeaders ?? []);
  }

  readonly #onDrain = (): void => {
    this.#timers.progress();
    this.#exchange?.resume();
  };

  readonly #onFinished = (): void => {
    const status = this.#head?.status ?? 0;
    this.#settle({ kind: 'completed', status, responseBytes: this.#responseBytes });
  };

  readonly #onClientClosed = (): void => {
    if (this.#settled || this.#outgoing.writableFinished) return;
    this.#exchange?.abort();
    this.#settleGone();
  };

  readonly #onExpired = (timer: ExpiredTimer): void => {
    if (this.#settled) return;
    this.#exchange?.abort();
    if (this.#sentHeaders !== null) {
      if (timer === 'idle' && this.#clientStalls()) this.#dropClient();
      else this.#break(timer === 'total' ? 'total_timeout' : 'idle_timeout');
      return;
    }
    const { timeouts, upstream } = this.#options;
    const limit = timer === 'total' ? `totalMs ${timeouts?.totalMs}` : `firstByteMs ${timeouts?.firstByteMs}`;
    const seen =
      this.#head === null ? 'no answer' : `status ${this.#head.status} but no first byte of the body`;
    this.#fail(
      'first_byte_timeout',
      new ProxyHttpError('first_byte_timeout', `${seen} from ${upstream.origin} within ${limit}`),
    );
  };

  /** What could move is waiting for the client, not for the upstream. */
  #clientStalls(): boolean {
    return this.#outgoing.writableNeedDrain || this.#outgoing.writableEnded;
  }

  #dropClient(): void {
    this.#settleGone();
    breakResponse(this.#outgoing, this.#sentHeaders ?? []);
  }

  #settleGone(): void {
    const committed = this.#sentHeaders !== null;
    this.#settle({ kind: 'client_gone', committed, responseBytes: this.#responseBytes });
  }

  #settle(outcome: ForwardOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#timers.stop();
    this.#outgoing.off('close', this.#onClientClosed).off('drain', this.#onDrain);
    this.#queuedOn?.off('close', this.#onClientClosed);
    this.#releaseUpload();
    this.#resolve(outcome);
  }

  /** Nobody wants the rest of an upload any more, unless it was never begun and another attempt may send it. */
  #releaseUpload(): void {
    const upload = this.#upload;
    if (upload === null) return;
    upload.destroy();
    const { body } = this.#options.request;
    if (!upload.touched || body === null || isHeld(body)) return;
    if (body instanceof IncomingMessage) discardBody(body);
    else body.destroy();
  }
}
