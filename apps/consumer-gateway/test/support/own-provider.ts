import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider whose answers a test writes itself. */
export interface OwnProvider {
  /** Member `endpoints` of a cluster. */
  readonly endpoints: readonly { readonly url: string }[];
  /** Connections open now. */
  connections(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts an {@link OwnProvider}. */
export async function startOwnProvider(onRequest: RequestListener): Promise<OwnProvider> {
  const server = createServer({ noDelay: true }, onRequest);
  const port = await new Promise<number>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
  return {
    endpoints: [{ url: `http://127.0.0.1:${port}` }],
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A provider whose streams stay open until a test lets them end. */
export interface HeldStreams extends OwnProvider {
  /** Streams that are open now. */
  readonly open: number;
  /** Requests so far. */
  readonly calls: number;
  /** Ends all open streams, and later ones at once. */
  release(): void;
}

/** Starts {@link HeldStreams}: every event of a stream says which `marker` the request's body had. */
export async function startHeldStreams(): Promise<HeldStreams> {
  const open = new Set<() => void>();
  let calls = 0;
  let held = true;
  const stream = (marker: unknown, response: ServerResponse): void => {
    // Left before its body was read: nothing would tell that it closed.
    if (response.destroyed) return;
    const event = `data: ${JSON.stringify({ marker })}\n\n`;
    const finish = (): void => void response.end(`${event}data: [DONE]\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event);
    if (!held) {
      finish();
      return;
    }
    open.add(finish);
    response.once('close', () => open.delete(finish));
  };
  const provider = await startOwnProvider((request, response) => {
    calls += 1;
    const body: Buffer[] = [];
    request.on('data', (piece: Buffer) => body.push(piece));
    request.on('end', () => {
      const { marker } = JSON.parse(Buffer.concat(body).toString()) as { marker?: unknown };
      stream(marker, response);
    });
  });
  return {
    ...provider,
    get open() {
      return open.size;
    },
    get calls() {
      return calls;
    },
    release: () => {
      held = false;
      for (const finish of open) finish();
    },
  };
}

/** A port that nobody listens on now, for configurations that must name one before it is open. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
