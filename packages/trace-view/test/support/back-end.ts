import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a back end got. */
export interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A server that keeps what it gets. */
export interface BackEnd {
  readonly url: string;
  readonly received: Received[];
  close(): void;
}

/** Starts a back end that answers as told; by default with an empty 200. */
export async function startBackEnd(
  answer: (response: ServerResponse) => void = (response) => response.end(),
): Promise<BackEnd> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks) });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
