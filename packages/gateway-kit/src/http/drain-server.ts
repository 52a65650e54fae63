import type { Server } from 'node:http';

const IDLE_SWEEP_MS = 50;

/**
 * Stops to accept, lets running requests end, then resolves. The caller bounds the wait. Answer with
 * `shouldKeepAlive = false` meanwhile: a connection that outlives its request would keep the server open.
 */
export function drainServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // Connections that were busy become idle one by one; Node looks for those only once.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}
