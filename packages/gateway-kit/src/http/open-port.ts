import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ListenAddress } from '../config/schemas.ts';
import { listen } from '../net/listen.ts';
import { drainServer, trackConnections } from './drain-server.ts';
import type { RunningRequests } from './running-requests.ts';
import type { ResolvedShutdown } from './shutdown-config.ts';

/** What {@link openPort} needs. */
export interface OpenPortOptions {
  readonly listen: ListenAddress;
  /** Aborted when the process is told to stop. */
  readonly stopping: AbortSignal;
  readonly shutdown: ResolvedShutdown;
  /** What is done for requests: `close()` waits for its end. */
  readonly running: RunningRequests;
  readonly log: Logger;
}

/** A port that takes requests. */
export interface OpenPort {
  readonly port: number;
  /** The graceful end that a rolling restart needs; see {@link openPort}. */
  close(): Promise<void>;
}

/**
 * Opens a gateway's port and knows how to close it without failing a request.
 *
 * From the moment `stopping` is aborted every answer says `connection: close`, so that clients with kept-alive
 * connections come back elsewhere. `close()` goes on accepting for `delayMs`, because balancers notice late that the
 * gateway is not ready; then stops to accept, lets requests and streams end for `drainMs`, and cuts off the rest.
 *
 * @throws ListenError when the address cannot be opened.
 */
export async function openPort(server: Server, options: OpenPortOptions): Promise<OpenPort> {
  const { stopping, shutdown, running, log } = options;
  server.prependListener('request', (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (stopping.aborted) outgoing.shouldKeepAlive = false;
  });
  const connections = trackConnections(server);
  const port = await listen(server, options.listen);
  return {
    port,
    close: async () => {
      // Closed for another reason: nobody was told, so there is nobody to wait for.
      if (stopping.aborted) await sleep(shutdown.delayMs);
      const { cutOff } = await drainServer(server, shutdown.drainMs, connections);
      // Those that were cut off are told of as well.
      await running.idle();
      if (cutOff > 0)
        log.warn({ cutOff, drainMs: shutdown.drainMs }, 'connections were cut off: they did not end in time');
    },
  };
}
