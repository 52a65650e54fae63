import type { Server } from 'node:http';

const IDLE_SWEEP_MS = 50;

/** What {@link drainServer} had to do. */
export interface Drained {
  /** Connections with unfinished requests that were cut off; 0 when all ended in time. */
  readonly cutOff: number;
}

/**
 * Stops to accept, lets running requests end for `drainMs`, cuts off the rest, then resolves. Answer with
 * `shouldKeepAlive = false` meanwhile: a connection that outlives its request would only idle.
 */
export function drainServer(server: Server, drainMs: number): Promise<Drained> {
  return new Promise((resolve) => {
    let cutOff = 0;
    // Connections that were busy become idle one by one; Node looks for those only once.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const cut = setTimeout(() => {
      server.getConnections((_error, count) => {
        cutOff = count;
        server.closeAllConnections();
      });
    }, drainMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve({ cutOff });
    });
    server.closeIdleConnections();
  });
}
