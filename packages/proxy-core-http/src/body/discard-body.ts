import type { IncomingMessage } from 'node:http';

/** Options of {@link discardBody}. */
export interface DiscardBodyOptions {
  /** Bytes to read and forget before the connection is closed instead. Default 64 MiB. */
  readonly maxBytes?: number;
  /** How long to do so, in milliseconds. Default 5,000. */
  readonly maxMs?: number;
}

const DISCARD_BYTES = 64 * 1_048_576;
const DISCARD_MS = 5_000;

/**
 * Reads the rest of a request body that nobody wants and forgets it, so that a client that only listens after
 * sending gets its answer, and its connection stays usable. Closing while bytes still come resets the connection, and
 * a reset takes the answer with it (RFC 9112 §9.6): that is for clients that go on and on. Call it only once the answer
 * is written or about to be.
 */
export function discardBody(incoming: IncomingMessage, options: DiscardBodyOptions = {}): void {
  const maxBytes = options.maxBytes ?? DISCARD_BYTES;
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  const giveUp = (): void => {
    incoming.off('data', onData).pause();
    incoming.socket.destroySoon();
  };
  const timer = setTimeout(giveUp, options.maxMs ?? DISCARD_MS);
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxBytes) giveUp();
  };
  // A client that gives up meanwhile is no error here.
  incoming.on('error', ignore);
  incoming.once('close', () => clearTimeout(timer));
  incoming.on('data', onData).resume();
}

function ignore(): void {}
