import type { ServerResponse } from 'node:http';

/**
 * Answers with a JSON text and its length. When the head of another answer is already out, the connection is broken
 * instead: a client must never take a half answer for a whole one. A response that is already gone is left alone.
 */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.destroyed || res.writableEnded) return;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  res.end(body);
}
