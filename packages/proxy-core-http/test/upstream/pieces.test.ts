import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BodyPieces, createUpstream, joinedBody, type Upstream } from '../../src/index.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';

const PIECES = Array.from({ length: 20 }, (_, index) => Buffer.alloc(65_536 + index, `${index}`));
const body = new BodyPieces(PIECES);
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function send(upstream: Upstream, sent: BodyPieces = body): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    upstream.dispatch(
      {
        method: 'POST',
        path: '/',
        headers: ['Content-Length', '7', 'Transfer-Encoding', 'chunked'],
        body: sent,
      },
      {
        onHead: ({ status }) => {
          text += `${status} `;
        },
        onData: (chunk) => {
          text += chunk.toString();
        },
        onEnd: () => resolve(text),
        onError: ({ reason }) => resolve(reason),
      },
    );
  });
}

async function startServer(handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void) {
  let accepted = 0;
  const server = createServer(handle).on('connection', () => accepted++);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const upstream = createUpstream({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return {
    upstream,
    accepted: () => accepted,
    [Symbol.asyncDispose]: async () => {
      await upstream.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a body in pieces', () => {
  it('arrives byte for byte with its length, twice on one connection', async () => {
    await using server = await startServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
        outgoing.end(`${length} ${coding} ${digest(Buffer.concat(chunks))}`);
      });
    });
    const expected = `200 ${body.length} undefined ${digest(joinedBody(body))}`;
    expect(await send(server.upstream)).toBe(expected);
    await delay(5);
    expect(await send(server.upstream)).toBe(expected);
    expect(server.accepted()).toBe(1);
  });

  it('an answer that comes before it was read goes through, and the next request is served', async () => {
    await using server = await startServer((_, outgoing) => outgoing.writeHead(413).end('too much'));
    for (let i = 0; i < 3; i++) {
      expect(await send(server.upstream)).toBe('413 too much');
      await delay(5);
    }
  });

  it('is sent again when a used connection was closed under it', async () => {
    let answered = false;
    await using raw = await startRawUpstream((connection) => {
      const { socket, number } = connection;
      socket.on('data', () => {
        const { received } = connection;
        const bytes = received.length - received.indexOf('\r\n\r\n') - 4;
        if (number === 1 && answered) socket.destroy();
        else if (bytes === body.length) {
          answered = true;
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        }
      });
    });
    const upstream = createUpstream({ origin: raw.origin });
    expect(await send(upstream)).toBe('200 ok');
    await delay(5);
    expect(await send(upstream)).toBe('200 ok');
    expect(raw.connections).toHaveLength(2);
    await upstream.destroy();
  });

  it('a cut in the middle of it is a failure, and no crash', async () => {
    await using raw = await startRawUpstream(({ socket }) => socket.once('data', () => socket.destroy()));
    const upstream = createUpstream({ origin: raw.origin });
    expect(await send(upstream)).toBe('reset');
    await upstream.destroy();
  });
});

describe('BodyPieces', () => {
  it('cuts out bytes across pieces, with empty ones left out', () => {
    const small = new BodyPieces(['ab', '', 'c', 'def'].map((text) => Buffer.from(text)));
    expect([small.length, small.pieces.length]).toEqual([6, 3]);
    for (let start = 0; start <= 6; start++) {
      for (let end = start; end <= 6; end++) {
        expect(small.subarray(start, end).toString()).toBe('abcdef'.slice(start, end));
      }
    }
    expect(joinedBody(small).toString()).toBe('abcdef');
  });
});
