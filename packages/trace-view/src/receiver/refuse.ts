import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OtlpAnswer } from './answers.ts';

/** How much of a refused body is read and forgotten, so that the client gets to hear the answer. Bytes. */
const DISCARD_BYTES = 1024 * 1024;
/** And how long that may take, in milliseconds. */
const DISCARD_MS = 2_000;

/** Sends an answer whole. A client that is gone is left alone. */
export function send(response: ServerResponse, answer: OtlpAnswer): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

/** Answers a request whose body was not read to its end: the connection ends, and its bytes take no memory. */
export function refuse(request: IncomingMessage, response: ServerResponse, answer: OtlpAnswer): void {
  if (request.complete) {
    send(response, answer);
    return;
  }
  send(response, { ...answer, headers: { ...answer.headers, connection: 'close' } });
  let left = DISCARD_BYTES;
  const cut = (): void => void request.destroy();
  const timer = setTimeout(cut, DISCARD_MS);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  // A broken connection is how such requests often end.
  request.on('error', () => undefined).once('close', () => clearTimeout(timer));
  request.resume();
}
