import { BodyPieces, isHeld } from '../body/body-pieces.ts';
import type { UpstreamRequest } from './upstream.ts';

/**
 * A request's headers as undici takes them, or in words why the request cannot be sent.
 *
 * Framing is decided here and nowhere else: a `content-length` left from the incoming request is removed and computed
 * anew, for a Buffer or no body by undici; a stream keeps it and is chunked without it.
 * `transfer-encoding` is never taken over.
 *
 * @internal
 */
export function headersToSend(request: UpstreamRequest): string[] | string {
  const { method, path, body } = request;
  if (!path.startsWith('/')) return `path ${JSON.stringify(path)} does not start with "/"`;
  if (method === 'CONNECT') return 'CONNECT cannot be forwarded';
  if (request.headers.length % 2 !== 0) return 'headers is not a list of name and value pairs';
  const streamed = body !== null && !isHeld(body);
  const headers: string[] = [];
  for (let i = 0; i < request.headers.length; i += 2) {
    const name = request.headers[i] ?? '';
    const value = request.headers[i + 1] ?? '';
    if (isFraming(name, streamed)) continue;
    headers.push(name, value);
  }
  if (body instanceof BodyPieces) headers.push('content-length', String(body.length));
  return headers;
}

/** Compares by length first: nearly every header fails there, without a lower-cased copy. */
function isFraming(name: string, streamed: boolean): boolean {
  if (name.length === 14) return !streamed && name.toLowerCase() === 'content-length';
  return name.length === 17 && name.toLowerCase() === 'transfer-encoding';
}
