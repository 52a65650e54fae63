import { type AddressInfo, createServer, type Socket } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';

/** One connection as the scripted upstream sees it. */
export interface RawConnection {
  readonly socket: Socket;
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** All that has been received, latin1. */
  received: string;
  closed: boolean;
  /** Waits until this text has been received. */
  heard(text: string): Promise<void>;
  /** Resolves when the peer (or the script) has closed the connection. */
  readonly gone: Promise<void>;
}

/** An upstream written byte by byte. */
export interface RawUpstream extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly connections: readonly RawConnection[];
  connection(n?: number): Promise<RawConnection>;
}

/** Starts a TCP server whose connections follow `script`; errors on the sockets are expected and ignored. */
export async function startRawUpstream(script: (connection: RawConnection) => unknown): Promise<RawUpstream> {
  const connections: RawConnection[] = [];
  const server = createServer({ noDelay: true, allowHalfOpen: false }, (socket) => {
    const connection = track(socket, connections.length + 1);
    connections.push(connection);
    void script(connection);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    connections,
    connection: (n = 1) => waitUntil(() => connections[n - 1], { what: `connection ${n}` }),
    [Symbol.asyncDispose]: async () => {
      for (const { socket } of connections) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function track(socket: Socket, number: number): RawConnection {
  const connection: RawConnection = {
    socket,
    number,
    received: '',
    closed: false,
    heard: async (text) => {
      await waitUntil(() => connection.received.includes(text), {
        what: JSON.stringify(text),
        intervalMs: 2,
      });
    },
    gone: new Promise((resolve) => {
      socket.once('close', () => {
        connection.closed = true;
        resolve();
      });
    }),
  };
  socket.on('data', (chunk: Buffer) => {
    connection.received += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  return connection;
}

/** A script that answers every complete request (without a body) with the same bytes. */
export function answering(text: string | Buffer): (connection: RawConnection) => void {
  return ({ socket }) => {
    let seen = '';
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      if (!seen.includes('\r\n\r\n')) return;
      seen = '';
      socket.write(text);
    });
  };
}
