import { Server as HttpServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';

const IDLE_SWEEP_MS = 50;

/** A request that was on its way when the server stopped to accept is here by then. */
const IDLE_GRACE_MS = 250;

/** What {@link drainServer} had to do. */
export interface Drained {
  /** Connections with unfinished requests that were cut off; 0 when all ended in time. */
  readonly cutOff: number;
}

/**
 * Stops to accept, lets running requests end for `drainMs`, cuts off the rest, then resolves. Connections without a
 * request are closed a moment later: one may be on its way. Answer with `shouldKeepAlive = false` meanwhile: a
 * connection that outlives its request would only idle.
 */
export function drainServer(server: Server, drainMs: number): Promise<Drained> {
  return new Promise((resolve) => {
    let cutOff = 0;
    let sweep: NodeJS.Timeout | undefined;
    // Connections that were busy become idle one by one; Node looks for those only once.
    const grace = setTimeout(
      () => {
        sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
      },
      Math.min(IDLE_GRACE_MS, drainMs),
    );
    const cut = setTimeout(() => {
      server.getConnections((_error, count) => {
        cutOff = count;
        server.closeAllConnections();
      });
    }, drainMs);
    // HTTP's own close() breaks connections at once on which the next request may already be.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearInterval(sweep);
      clearTimeout(cut);
      // For what HTTP's close() does besides: its periodic checks end.
      HttpServer.prototype.close.call(server);
      resolve({ cutOff });
    });
  });
}
