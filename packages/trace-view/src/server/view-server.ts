import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { EventHub } from '../events/event-hub.ts';
import { OtlpError } from '../otlp/otlp-error.ts';
import type { OtlpReceiver } from '../receiver/otlp-receiver.ts';
import { refuse } from '../receiver/refuse.ts';
import type { Guard } from './guard.ts';

/** What the server hands requests to. */
export interface ViewServerParts {
  readonly guard: Guard;
  readonly receiver: OtlpReceiver;
  readonly hub: EventHub;
  readonly app: Hono;
  /** Longest a whole request may take to arrive, in milliseconds. */
  readonly requestMs: number;
}

const MAX_CONNECTIONS = 512;
const HEADERS_MS = 10_000;
/** Longer than exporters' agents keep an idle connection, so that they close it first. */
const KEEP_ALIVE_MS = 65_000;

/**
 * The HTTP server: first the guard, then exports and event streams on the bare sockets (they need back-pressure and
 * early refusals), then everything else through Hono.
 */
export function createViewServer(parts: ViewServerParts): Server {
  const { guard, receiver, hub, app, requestMs } = parts;
  const web = getRequestListener(app.fetch);
  const options = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: Math.min(HEADERS_MS, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(1_000, requestMs),
  };
  const server = createServer(options, (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const objection = guard.objection(request);
    if (path === '/v1/traces') {
      if (objection === undefined) void receiver.handle(request, response);
      else receiver.reject(request, response, new OtlpError('forbidden', objection));
    } else if (objection !== undefined)
      fail(request, response, { status: 403, code: 'forbidden', message: objection });
    else if (!path.startsWith('/'))
      fail(request, response, {
        status: 400,
        code: 'bad_path',
        message: 'expected a path that starts with /',
      });
    else if (request.method === 'POST' && isStrayExport(path))
      receiver.reject(request, response, new OtlpError('not_found', STRAY_EXPORT));
    else if (path === '/api/events' && request.method === 'GET') {
      if (!hub.open(request, response))
        fail(request, response, {
          status: 503,
          code: 'too_many_streams',
          message: 'too many pages are open',
        });
    } else void web(request, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

const STRAY_EXPORT =
  'traces are taken at /v1/traces, metrics and logs nowhere; OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is used as it is, so it ends in /v1/traces';

/** Exporters that are set up a little wrong hear about it, rather than about a missing token. */
function isStrayExport(path: string): boolean {
  return path === '/' || path.startsWith('/v1/');
}

/** Answers with an error in the shape that all of `/api` shares, without reading the request's body. */
function fail(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message }: { status: number; code: string; message: string },
): void {
  const body = Buffer.from(JSON.stringify({ ok: false, error: { code, message } }));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
  };
  refuse(request, response, { status, headers, body });
}
