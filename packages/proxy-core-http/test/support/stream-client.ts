import { connect, type Socket } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';

/** A client on a bare socket that a test can stop, half-close and cut as it likes. */
export interface SocketClient {
  readonly socket: Socket;
  /** All that has arrived, latin1. */
  readonly received: string;
  /** Waits until this text has arrived. */
  heard(text: string): Promise<void>;
  /** Resolves with how the connection ended. */
  readonly ended: Promise<'end' | 'error'>;
}

/** Connects to a local port and writes `text`. */
export function openClient(port: number, text = ''): SocketClient {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  const ended = new Promise<'end' | 'error'>((resolve) => {
    socket.once('error', () => resolve('error'));
    socket.once('close', () => resolve('end'));
  });
  if (text !== '') socket.write(text, 'latin1');
  return {
    socket,
    get received() {
      return received;
    },
    heard: async (text) => {
      await waitUntil(() => received.includes(text), { what: JSON.stringify(text), intervalMs: 2 });
    },
    ended,
  };
}

/** A POST with a small JSON body, as text. */
export function post(body = '{"model":"m"}', headers: readonly string[] = []): string {
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: test',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${[...lines, ...headers].join('\r\n')}\r\n\r\n${body}`;
}
