import type { IncomingMessage } from 'node:http';
import { BodyPieces, type HeldBody } from './body-pieces.ts';
import type { ByteBudget } from './byte-budget.ts';
import { discardBody } from './discard-body.ts';
import { SmallPieces } from './small-pieces.ts';

/** Options of {@link collectBody}. */
export interface CollectBodyOptions {
  /** Largest accepted body in bytes; exactly this many are still accepted. */
  readonly maxBytes: number;
  /**
   * Bounds what several bodies hold together. The bytes of a body that was collected stay taken: give them back when
   * the body is no longer needed. Default: no common bound.
   */
  readonly budget?: ByteBudget;
}

/** What {@link collectBody} found. */
export type CollectBodyResult =
  | { readonly ok: true; readonly body: HeldBody }
  /**
   * More than `maxBytes`. `declaredBytes` is the `content-length`, when that alone was the reason. Answer at once:
   * the rest of the upload is thrown away, up to 64 MiB or 5 s, then the connection is closed.
   */
  | { readonly ok: false; readonly reason: 'too_large'; readonly declaredBytes?: number }
  /** The budget has no room for more. Answer at once, as for `too_large`; what had been taken is given back. */
  | { readonly ok: false; readonly reason: 'no_room' }
  /** The client left, or the server cut it off, before the body was complete. */
  | { readonly ok: false; readonly reason: 'client_gone' };

/** Up to here a body is joined: a copy of this many bytes costs less than to handle them in pieces. */
const JOINED_BYTES_MAX = 65_536;

/**
 * Reads a request body to its end: into one Buffer up to 64 KiB or when it came in one piece, else in pieces. Never holds more than
 * `maxBytes` plus one chunk; never rejects. A `content-length` above the limit is refused before anything is read.
 */
export function collectBody(
  incoming: IncomingMessage,
  options: CollectBodyOptions,
): Promise<CollectBodyResult> {
  const { maxBytes, budget } = options;
  const declaredBytes = Number(incoming.headers['content-length'] ?? 0);
  if (declaredBytes > maxBytes) {
    discardBody(incoming);
    return Promise.resolve({ ok: false, reason: 'too_large', declaredBytes });
  }
  if (incoming.destroyed && !incoming.readableEnded)
    return Promise.resolve({ ok: false, reason: 'client_gone' });
  // Known before a byte was read; not taken yet, or clients that only announce would fill the budget.
  if (budget !== undefined && declaredBytes > budget.free) {
    discardBody(incoming);
    return Promise.resolve({ ok: false, reason: 'no_room' });
  }
  return new Promise((resolve) => {
    collect(incoming, options, resolve);
  });
}

function collect(
  incoming: IncomingMessage,
  { maxBytes, budget }: CollectBodyOptions,
  resolve: (result: CollectBodyResult) => void,
): void {
  let chunks: Buffer[] = [];
  const small = new SmallPieces();
  let bytes = 0;

  const settle = (result: CollectBodyResult): void => {
    incoming.off('data', onData).off('end', onEnd).off('close', onGone);
    chunks = [];
    if (!result.ok) budget?.give(bytes);
    resolve(result);
  };
  const refuse = (reason: 'too_large' | 'no_room'): void => {
    settle({ ok: false, reason });
    discardBody(incoming);
  };
  const onData = (chunk: Buffer): void => {
    if (bytes + chunk.length > maxBytes) refuse('too_large');
    else if (budget?.take(chunk.length) === false) refuse('no_room');
    else {
      bytes += chunk.length;
      small.append(chunks, chunk);
    }
  };
  const onEnd = (): void => {
    settle({ ok: true, body: held(chunks, bytes) });
  };
  const onGone = (): void => settle({ ok: false, reason: 'client_gone' });

  incoming.on('data', onData).on('end', onEnd).on('close', onGone);
  // An aborted upload also emits 'error'; 'close' follows and is what counts.
  incoming.on('error', ignore);
}

function held(chunks: readonly Buffer[], bytes: number): HeldBody {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  return bytes > JOINED_BYTES_MAX ? new BodyPieces(chunks) : Buffer.concat(chunks, bytes);
}

function ignore(): void {}
