import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { reasonForDistrust } from './distrust.ts';
import { PipelineGate } from './pipelining.ts';
import {
  type ClientErrorBody,
  type ClientErrorStatus,
  type HardenedServerOptions,
  resolveServerLimits,
} from './server-options.ts';

/** Slow headers are noticed by a periodic check; Node's own period is 30 s. */
const CHECK_INTERVAL_MS = 1000;

/**
 * Makes a `node:http` (or, with `tls`, `node:https`) server for an open port. The parser is always the strict one:
 * requests with both `content-length` and `transfer-encoding`, without `host`, with obsolete line folding or bare
 * line feeds in headers are refused, and so is what it lets through but two readers could take differently: see
 * {@link reasonForDistrust}. `100-continue` is answered by the server itself. It is not listening yet.
 *
 * @throws {@link ProxyHttpError} `invalid_options`
 */
export function createHardenedServer(options: HardenedServerOptions): Server {
  const limits = resolveServerLimits(options);
  const serverOptions: ServerOptions = {
    insecureHTTPParser: false,
    // Checked by us, with an answer in the caller's words.
    requireHostHeader: false,
    joinDuplicateHeaders: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    noDelay: true,
    keepAlive: true,
  };
  const { onRequest, onExpectation } = guarded(options, limits.maxPipelined);
  const server =
    options.tls === undefined
      ? createServer(serverOptions, onRequest)
      : createTlsServer({ minVersion: 'TLSv1.2', ...options.tls, ...serverOptions }, onRequest);
  // Node's default drops every header after the 1000th without a word; the size limit is the honest bound.
  server.maxHeadersCount = 0;
  if (limits.maxConnections !== undefined) server.maxConnections = limits.maxConnections;
  // Without listeners Node answers the one without a body, and closes the other's connection without a word.
  server.on('checkExpectation', onExpectation);
  server.on('connect', (_incoming, socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, new Error('CONNECT is not served'), options);
  });
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    refuse(socket, error, options);
  });
  return server;
}

/** The response that Node has assigned to a socket: not in its types, but stable since Node 0.x. */
interface BusySocket extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
  destroySoon?(): void;
}

interface Guarded {
  readonly onRequest: RequestListener;
  /** For requests that expect something else than `100-continue`. */
  readonly onExpectation: RequestListener;
}

/** Checks each request once more and bounds pipelining, before the caller sees it. */
function guarded({ onRequest, ...options }: HardenedServerOptions, maxPipelined: number): Guarded {
  const gate = new PipelineGate(maxPipelined);
  const refused = new WeakSet<Socket>();
  const refuseOne = (outgoing: ServerResponse, status: ClientErrorStatus, reason: string): void => {
    refused.add(outgoing.req.socket);
    answerAndClose(outgoing, { status, error: new Error(reason), options });
  };
  const check = (incoming: IncomingMessage, outgoing: ServerResponse, serve: RequestListener): void => {
    // What follows a refused request may be the inside of its body.
    if (refused.has(incoming.socket)) return;
    const reason = reasonForDistrust(incoming);
    if (reason !== undefined) refuseOne(outgoing, 400, reason);
    else if (gate.admit(outgoing)) serve(incoming, outgoing);
    else refuseOne(outgoing, 429, `more than ${maxPipelined} requests wait on one connection`);
  };
  const refuseExpectation: RequestListener = (_incoming, outgoing) =>
    refuseOne(outgoing, 417, 'an expectation other than 100-continue');
  return {
    onRequest: (incoming, outgoing) => check(incoming, outgoing, onRequest),
    onExpectation: (incoming, outgoing) => check(incoming, outgoing, refuseExpectation),
  };
}

type RefusalTelling = Pick<HardenedServerOptions, 'clientErrorBody' | 'onClientError'>;

/** An answer of the server's own. */
interface Refusal {
  readonly status: ClientErrorStatus;
  readonly error: Error;
  readonly options: RefusalTelling;
}

/** Answers in the request's turn, the last one of its connection. */
function answerAndClose(outgoing: ServerResponse, refusal: Refusal): void {
  const { contentType, body } = bodyOf(refusal);
  outgoing.shouldKeepAlive = false;
  const type = body === '' ? {} : { 'content-type': contentType };
  outgoing.writeHead(refusal.status, { ...type, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Answers what could not be read as a request, unless an answer is already on its way on that connection. */
function refuse(socket: BusySocket, error: Error & { code?: string }, options: RefusalTelling): void {
  const current = socket._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (current?.req.complete === true) {
    // The bytes after a whole request are wrong: that request keeps its answer, which is the last one.
    if (current.headersSent && current.shouldKeepAlive) current.once('finish', () => socket.destroySoon?.());
    current.shouldKeepAlive = false;
    return;
  }
  if (current?.headersSent === true) {
    socket.destroy();
    return;
  }
  const status = statusOf(error.code);
  const { contentType, body } = bodyOf({ status, error, options });
  const bytes = Buffer.byteLength(body);
  const type = bytes === 0 ? '' : `content-type: ${contentType}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${type}content-length: ${bytes}\r\n\r\n${body}`,
    // The peer may never read it; the connection goes all the same.
    () => socket.destroy(),
  );
}

function bodyOf({ status, error, options }: Refusal): ClientErrorBody {
  options.onClientError?.(status, error);
  return options.clientErrorBody?.(status, error) ?? { contentType: 'text/plain', body: '' };
}

function statusOf(code: string | undefined): 400 | 408 | 431 {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
