import { Server as HttpServer, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

const IDLE_SWEEP_MS = 50;

/** A request that was on its way when the server stopped to accept is here by then. */
const IDLE_GRACE_MS = 250;

/** What {@link drainServer} had to do. */
export interface Drained {
  /** Connections with unfinished requests that were cut off; 0 when all ended in time. */
  readonly cutOff: number;
}

/**
 * The open connections of a server, from now on. Node counts one that has never sent a byte among the busy ones, and
 * clients open such ahead of need: whoever drains must look for them by itself.
 */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  const add = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
  server.on('connection', add);
  // Of TLS, what is inside the connection: there too, a client may say nothing.
  server.on('secureConnection', add);
  return open;
}

/**
 * Stops to accept, lets running requests end for `drainMs`, cuts off the rest, then resolves. Connections without a
 * request are closed a moment later: one may be on its way. Answer with `shouldKeepAlive = false` meanwhile: a
 * connection that outlives its request would only idle.
 *
 * @param connections - As {@link trackConnections} has them; without them, silent ones are waited for.
 */
export function drainServer(
  server: Server,
  drainMs: number,
  connections: ReadonlySet<Socket> = new Set(),
): Promise<Drained> {
  return new Promise((resolve) => {
    let cutOff = 0;
    let sweep: NodeJS.Timeout | undefined;
    // Connections that were busy become idle one by one; Node looks for those only once.
    const grace = setTimeout(
      () => {
        sweep = setInterval(() => {
          server.closeIdleConnections();
          for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
        }, IDLE_SWEEP_MS);
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
