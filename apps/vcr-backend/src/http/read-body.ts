import type { IncomingMessage } from 'node:http';

/** A whole request body, or why there is none. */
export type ReadBodyResult =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly reason: 'too_large' | 'client_gone' };

/** Collects a request body of at most `bytesMax` bytes. Never rejects; stops keeping bytes once over the limit. */
export function readBody(incoming: IncomingMessage, bytesMax: number): Promise<ReadBodyResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      if (length <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      // Left flowing: a client in mid-upload could not read the answer over a reset connection.
      chunks.length = 0;
      resolve({ ok: false, reason: 'too_large' });
    });
    incoming.once('end', () => resolve({ ok: true, body: Buffer.concat(chunks, length) }));
    // After `end` this settles nothing.
    incoming.once('close', () => resolve({ ok: false, reason: 'client_gone' }));
    incoming.once('error', () => resolve({ ok: false, reason: 'client_gone' }));
  });
}
