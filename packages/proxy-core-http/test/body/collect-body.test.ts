import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { ByteBudget, type CollectBodyResult, collectBody } from '../../src/index.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { openClient, post } from '../support/stream-client.ts';

const LIMIT = 1000;
const CHUNKED = 'POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n';
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A server that collects bodies up to LIMIT and answers 200 with the length, or 413. */
async function startCollector(budget?: ByteBudget) {
  const results: CollectBodyResult[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const result = await collectBody(incoming, {
      maxBytes: LIMIT,
      ...(budget === undefined ? {} : { budget }),
    });
    results.push(result);
    outgoing.statusCode = result.ok ? 200 : 413;
    outgoing.end(result.ok ? `length ${result.body.length}` : result.reason);
  };
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, results };
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('bodies up to the limit', () => {
  it.each([0, 1, LIMIT - 1, LIMIT])('%i bytes are collected', async (length) => {
    const { port, results } = await startCollector();
    const client = openClient(port, post('x'.repeat(length)));
    await client.heard(`length ${length}`);
    expect(results[0]).toEqual({ ok: true, body: Buffer.alloc(length, 'x') });
  });

  it('chunked and in many pieces, split inside a character', async () => {
    const { port, results } = await startCollector();
    const client = openClient(port, `${CHUNKED}${chunk('a\xc3')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    client.socket.write(Buffer.from(`${chunk('\xa9b')}0\r\n\r\n`, 'latin1'));
    await client.heard('length 4');
    expect(results[0]?.ok && results[0].body.toString()).toBe('aéb');
  });

  it('100-continue is answered before the body comes', async () => {
    const { port } = await startCollector();
    const client = openClient(
      port,
      'POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
    );
    await client.heard('100 Continue');
    client.socket.write('ok');
    await client.heard('length 2');
  });
});

describe('bodies above the limit', () => {
  it('content-length: refused before a byte of the body was sent', async () => {
    const { port, results } = await startCollector();
    const client = openClient(port, `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`);
    await client.heard('too_large');
    expect(results).toEqual([{ ok: false, reason: 'too_large', declaredBytes: LIMIT + 1 }]);
  });

  it('chunked: refused as soon as the limit is passed, long before the end', async () => {
    const { port, results } = await startCollector();
    const client = openClient(port, `${CHUNKED}${chunk('x'.repeat(LIMIT))}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(results).toEqual([]);
    client.socket.write(chunk('x'));
    await client.heard('too_large');
    expect(results).toEqual([{ ok: false, reason: 'too_large' }]);
  });

  it('a client that sends all before it listens gets the answer, and its connection lives', async () => {
    const { port } = await startCollector();
    const client = openClient(port, post('x'.repeat(500_000)) + post('{}'));
    await client.heard('length 2');
    expect(client.received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('an endless upload is cut off, without memory', async () => {
    const { port } = await startCollector();
    const before = heldBytes();
    const client = openClient(port, CHUNKED);
    const piece = chunk('x'.repeat(65_536));
    const timer = setInterval(() => {
      for (let i = 0; i < 8; i++) client.socket.write(piece);
    }, 1);
    await client.ended;
    clearInterval(timer);
    expect(client.socket.bytesWritten).toBeLessThan(96 * 1_048_576);
    // What this client had not sent yet is let go when its socket is.
    client.socket.destroy();
    await waitUntil(() => heldBytes() - before < 16 * 1_048_576, {
      what: 'memory of the upload',
      intervalMs: 100,
    });
    expect(heldBytes() - before).toBeLessThan(16 * 1_048_576);
  });
});

describe('a budget shared by several bodies', () => {
  it('is taken by what is held, and refuses an announced length without reading it', async () => {
    const budget = new ByteBudget(150);
    const { port, results } = await startCollector(budget);
    await openClient(port, post('x'.repeat(100))).heard('length 100');
    expect(budget.free).toBe(50);
    await openClient(port, post('x'.repeat(51)).replace('x', '')).heard('no_room');
    expect(results[1]).toEqual({ ok: false, reason: 'no_room' });
    await openClient(port, post('x'.repeat(50))).heard('length 50');
    expect(budget.free).toBe(0);
  });

  it('gets back what was taken for a body that turns out too large for it, or whose client leaves', async () => {
    const budget = new ByteBudget(150);
    const { port, results } = await startCollector(budget);
    const chunked = openClient(port, CHUNKED + chunk('x'.repeat(100)));
    await waitUntil(() => budget.free === 50);
    chunked.socket.write(chunk('x'.repeat(100)));
    await chunked.heard('no_room');
    expect(budget.free).toBe(150);
    const leaving = openClient(port, CHUNKED + chunk('x'.repeat(100)));
    await waitUntil(() => budget.free === 50);
    leaving.socket.destroy();
    await waitUntil(() => results.length === 2);
    expect(budget.free).toBe(150);
  });
});

describe('a client that leaves', () => {
  it('in the middle of its body', async () => {
    const { port, results } = await startCollector();
    const client = openClient(port, 'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n01234');
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.socket.destroy();
    expect(await waitUntil(() => results[0])).toEqual({ ok: false, reason: 'client_gone' });
  });
});
