import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Cassette } from '../cassette/format.ts';
import { createBuiltinRoutes, isBuiltinRoute } from './builtin-routes.ts';
import { createReplayHandler, pathOf, type ReplayDeps } from './replay-handler.ts';

/** Room for the many headers of tracing clients; Node's own default is 16 KiB. */
const HEADER_BYTES_MAX = 64 * 1024;
/** Longer than any usual pool keeps an idle connection: the pool should be the one that closes it. */
const KEEP_ALIVE_MS = 75_000;

/**
 * The HTTP server: replayed routes on the raw request, `/health` and `/v1/models` through Hono. A cassette for one
 * of the latter wins over the built-in answer. Not listening yet.
 */
export function createVcrServer(cassettes: readonly Cassette[], deps: ReplayDeps): Server {
  const replay = createReplayHandler(deps);
  const builtin = getRequestListener(createBuiltinRoutes(cassettes).fetch, { overrideGlobalObjects: false });
  const options = { maxHeaderSize: HEADER_BYTES_MAX, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = createServer(options, (incoming, outgoing) => {
    const method = incoming.method ?? '';
    const path = pathOf(incoming);
    // Once the server closes, a connection that falls idle has no one left to close it but us.
    outgoing.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
    const recorded = deps.index.onRoute(method, path).length > 0;
    void (isBuiltinRoute(method, path) && !recorded
      ? builtin(incoming, outgoing)
      : replay(incoming, outgoing));
  });
  return server;
}
