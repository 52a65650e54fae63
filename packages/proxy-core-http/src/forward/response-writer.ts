import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { firstHeader } from '../headers/filter-response-headers.ts';

/** Reason phrases outside printable ASCII can't be passed on in one encoding; Node's own text is used instead. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** The head as it goes to the client. */
export interface ResponseHead {
  readonly status: number;
  readonly statusMessage: string;
  readonly headers: string[];
}

/**
 * Writes the client's head; it leaves together with the first piece of body written in the same turn.
 *
 * @internal
 */
export function writeHead(outgoing: ServerResponse, head: ResponseHead): void {
  outgoing.socket?.setNoDelay(true);
  const { status, statusMessage, headers } = head;
  try {
    if (PRINTABLE.test(statusMessage)) outgoing.writeHead(status, statusMessage, headers);
    else outgoing.writeHead(status, headers);
  } catch (cause) {
    // The response is still unsent and may carry another answer, which must not inherit this reason phrase.
    outgoing.statusMessage = '';
    throw cause;
  }
}

/**
 * Ends a response so that no client can take it for complete: what was written is flushed, then the connection goes
 * away without the closing chunk or the missing bytes. A response without either, whose end *is* the end of the
 * connection (HTTP/1.0), is reset.
 *
 * @internal
 */
export function breakResponse(outgoing: ServerResponse, headers: readonly string[]): void {
  const { socket } = outgoing;
  if (socket === null) {
    outgoing.destroy();
    return;
  }
  // Node holds writes back until the end of the turn, in the socket (20) or in the response (24); destroying now would
  // drop what the upstream did send.
  while (outgoing.writableCorked > 0) outgoing.uncork();
  const endMarksTheEnd = !outgoing.chunkedEncoding && firstHeader(headers, 'content-length') === undefined;
  if (endMarksTheEnd && isPlainSocket(socket)) socket.resetAndDestroy();
  else socket.destroy();
}

/** TLS needs no reset: without the closing alert the end is known to be a cut. */
function isPlainSocket(socket: Socket): boolean {
  return socket instanceof Socket && !('encrypted' in socket && socket.encrypted === true);
}
