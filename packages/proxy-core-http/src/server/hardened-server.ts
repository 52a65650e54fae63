import { createServer, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { type HardenedServerOptions, resolveServerLimits } from './server-options.ts';

/** Slow headers are noticed by a periodic check; Node's own period is 30 s. */
const CHECK_INTERVAL_MS = 1000;

/**
 * Makes a `node:http` (or, with `tls`, `node:https`) server for an open port. The parser is always the strict one:
 * requests with both `content-length` and `transfer-encoding`, without `host`, with obsolete line folding or bare
 * line feeds in headers are refused. `100-continue` is answered by the server itself. It is not listening yet.
 *
 * @throws {@link ProxyHttpError} `invalid_options`
 */
export function createHardenedServer(options: HardenedServerOptions): Server {
  const limits = resolveServerLimits(options);
  const serverOptions: ServerOptions = {
    insecureHTTPParser: false,
    requireHostHeader: true,
    joinDuplicateHeaders: false,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    noDelay: true,
    keepAlive: true,
  };
  const server =
    options.tls === undefined
      ? createServer(serverOptions, options.onRequest)
      : createTlsServer({ minVersion: 'TLSv1.2', ...options.tls, ...serverOptions }, options.onRequest);
  // Node's default drops every header after the 1000th without a word; the size limit is the honest bound.
  server.maxHeadersCount = 0;
  if (limits.maxConnections !== undefined) server.maxConnections = limits.maxConnections;
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    refuse(socket, error, options.clientErrorBody);
  });
  return server;
}

/** The response that Node has assigned to a socket: not in its types, but stable since Node 0.x. */
interface BusySocket extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
}

/** Answers what could not be read as a request, unless an answer is already on its way on that connection. */
function refuse(
  socket: BusySocket,
  error: Error & { code?: string },
  makeBody: HardenedServerOptions['clientErrorBody'],
): void {
  const answering = socket._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || !socket.writable || answering) {
    socket.destroy();
    return;
  }
  const status = statusOf(error.code);
  const { contentType, body } = makeBody?.(status, error) ?? { contentType: 'text/plain', body: '' };
  const bytes = Buffer.byteLength(body);
  const type = bytes === 0 ? '' : `content-type: ${contentType}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${type}content-length: ${bytes}\r\n\r\n${body}`,
    // The peer may never read it; the connection goes all the same.
    () => socket.destroy(),
  );
}

function statusOf(code: string | undefined): 400 | 408 | 431 {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}
