import { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';

/** What a request needs to learn about the connection that carries it. */
export interface ConnectionState {
  /** Requests written to the current socket so far. More than zero means: it has served before. */
  requestsOnSocket: number;
  /** The current socket reported an error, e.g. a reset. */
  failed: boolean;
  /**
   * The request that waits here is no longer wanted: gives up a connection that is still coming up, and opens none for
   * it. An established connection stays.
   */
  cancel(): void;
}

/** Who wants to be told which connection was chosen. */
export interface ConnectionUser {
  /** Called when a connection takes the request, before it is written. */
  onConnection(connection: ConnectionState): void;
}

/** Dispatch options that say whose request it is. */
export interface TrackedDispatchOptions extends Dispatcher.DispatchOptions {
  readonly user: ConnectionUser;
  /** Name to ask for in TLS; undici knows it, its types don't. Without it the `host` header would decide. */
  readonly servername: string | undefined;
}

/** How connections come up. */
export interface ConnectingOptions {
  readonly connector: buildConnector.connector;
  /** Longest time for TCP and TLS together. undici's own limit counts in half seconds. */
  readonly connectMs: number;
}

/**
 * An undici Client (one connection at a time) that knows whether its socket has served before. undici's own errors
 * don't tell, and without it a safe re-send after a keep-alive race is impossible.
 *
 * @internal
 */
export class TrackedClient extends Client implements ConnectionState {
  requestsOnSocket: number;
  failed: boolean;
  readonly #waiting: { socket: Socket | null; unwanted: boolean };

  constructor(origin: string | URL, options: Client.Options, connecting: ConnectingOptions) {
    const waiting: { socket: Socket | null; unwanted: boolean } = { socket: null, unwanted: false };
    const { connectMs } = connecting;
    const connect: buildConnector.connector = (target, callback) => {
      if (waiting.unwanted) {
        // undici cannot take a request out of its queue, and would connect for one that nobody waits for.
        queueMicrotask(() => callback(aborted(), null));
        return;
      }
      const timer = setTimeout(() => waiting.socket?.destroy(connectTimeout(connectMs)), connectMs);
      // The connector returns the socket although its type does not say so.
      const opened: unknown = connecting.connector(target, (...result) => {
        clearTimeout(timer);
        waiting.socket = null;
        callback(...result);
      });
      if (!(opened instanceof Socket)) return;
      waiting.socket = opened;
      this.requestsOnSocket = 0;
      this.failed = false;
      // Registered before undici's own listeners: when it takes a reset for the end of an answer without a length
      // (it does, for an old macOS fault), the exchange already knows better.
      opened.on('error', () => {
        this.failed = true;
      });
    };
    super(origin, { ...options, connect });
    this.requestsOnSocket = 0;
    this.failed = false;
    this.#waiting = waiting;
  }

  cancel(): void {
    this.#waiting.unwanted = true;
    this.#waiting.socket?.destroy(aborted());
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // One request at a time: whoever comes now is the one that is waited for.
    this.#waiting.unwanted = false;
    if (isTracked(options)) options.user.onConnection(this);
    return super.dispatch(options, handler);
  }
}

function aborted(): Error {
  return new Error('aborted while waiting for a connection');
}

function connectTimeout(connectMs: number): Error {
  return Object.assign(new Error(`not connected within connectMs ${connectMs}`), { code: 'ETIMEDOUT' });
}

function isTracked(options: Dispatcher.DispatchOptions): options is TrackedDispatchOptions {
  return 'user' in options;
}
