import type { IncomingMessage } from 'node:http';

/** Options of {@link discardBody}. */
export interface DiscardBodyOptions {
  /** Bytes to read and forget before the connection is closed instead. Default 1 MiB. */
  readonly maxBytes?: number;
}

const DISCARD_BYTES = 1_048_576;

/**
 * Reads the rest of a request body that nobody wants and forgets it, so that a client that only listens after
 * sending gets its answer, and its connection stays usable. A longer rest is cut off: what was written of the
 * answer is flushed, then the connection is closed. Call it only once the answer is written or about to be.
 */
export function discardBody(incoming: IncomingMessage, options: DiscardBodyOptions = {}): void {
  const maxBytes = options.maxBytes ?? DISCARD_BYTES;
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= maxBytes) return;
    incoming.off('data', onData).pause();
    incoming.socket.destroySoon();
  };
  // A client that gives up meanwhile is no error here.
  incoming.on('error', ignore);
  incoming.on('data', onData).resume();
}

function ignore(): void {}
