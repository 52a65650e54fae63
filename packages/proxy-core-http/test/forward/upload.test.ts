import { Readable } from 'node:stream';
import { startFaultUpstream, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { startProxy } from '../support/proxy.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { openClient, post } from '../support/stream-client.ts';

const MIB = 1_048_576;

describe('a streamed request body', () => {
  it('arrives byte for byte, and is on its way before it is complete', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, { body: 'stream' });
    const client = openClient(proxy.port, 'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n01234');
    const seen = await faulty.waitForRequest();
    await waitUntil(() => seen.body.length === 5);
    client.socket.write('56789');
    await client.heard('200 OK');
    expect(seen.body.toString()).toBe('0123456789');
  });

  it('8 MB arrive byte for byte', async () => {
    const body = Buffer.alloc(8 * MIB, '0123456789abcdef');
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, { body: 'stream' });
    expect((await send({ port: proxy.port, body })).status).toBe(200);
    expect(faulty.requests[0]?.body.equals(body)).toBe(true);
  });

  it('slows the client down when the upstream does not read', async () => {
    await using raw = await startRawUpstream(({ socket }) => socket.pause());
    await using proxy = await startProxy(raw.origin, { body: 'stream' });
    const client = openClient(
      proxy.port,
      `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${256 * MIB}\r\n\r\n`,
    );
    let offered = 0;
    const piece = Buffer.alloc(MIB);
    const offer = (): void => {
      while (offered < 256 && client.socket.write(piece)) offered++;
    };
    client.socket.on('drain', offer);
    offer();
    // The kernel's buffers on both ways take some MB; then nothing moves any more.
    let before = -1;
    await waitUntil(
      async () => {
        const moved = client.socket.bytesWritten;
        const still = moved === before;
        before = moved;
        return still;
      },
      { intervalMs: 150 },
    );
    expect(offered).toBeLessThan(64);
    client.socket.destroy();
  });
});

describe('an upstream that answers before it has read the body', () => {
  it('413 reaches the client at once, and the same connection serves the next request', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, { body: 'stream' });
    faulty.next('early:413');
    const body = 'x'.repeat(300_000);
    const client = openClient(
      proxy.port,
      `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    client.socket.write(body.slice(0, 100_000));
    await client.heard('413 Payload Too Large');
    expect(await proxy.outcome()).toMatchObject({ kind: 'completed', status: 413 });
    client.socket.write(`${body.slice(100_000)}${post('{}')}`);
    await client.heard('200 OK');
  });

  it('a client that goes on sending without end is cut off', async () => {
    await using faulty = await startFaultUpstream({ mode: 'early:413' });
    await using proxy = await startProxy(faulty.origin, { body: 'stream' });
    const client = openClient(
      proxy.port,
      `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${256 * MIB}\r\n\r\nx`,
    );
    await client.heard('413 Payload Too Large');
    const piece = Buffer.alloc(65_536);
    // What Node holds back itself would count as written, however slow the other side is.
    const timer = setInterval(() => {
      if (!client.socket.writableNeedDrain) client.socket.write(piece);
    }, 1);
    await client.ended;
    clearInterval(timer);
    // 64 MiB are read and forgotten; some are on their way.
    expect(client.socket.bytesWritten).toBeLessThan(80 * MIB);
  });
});

describe('an upload that could not be sent', () => {
  it('was not touched when no connection came up: another attempt may send it', async () => {
    await using gone = await startFaultUpstream();
    await using good = await startFaultUpstream();
    await using second = await startProxy(good.origin, { body: 'stream' });
    await using proxy = await startProxy(gone.origin, {
      body: 'stream',
      onUnsent: (_outcome, outgoing) => {
        second.server.emit('request', outgoing.req, outgoing);
      },
    });
    // Now that the others listen: closed before, its port could become one of theirs.
    await gone.close();
    expect((await send({ port: proxy.port, body: '{"whole":"body"}' })).status).toBe(200);
    expect(await proxy.outcome()).toMatchObject({ kind: 'failed', reason: 'connect' });
    expect(good.requests[0]?.body.toString()).toBe('{"whole":"body"}');
  });

  it('is thrown away when it was half sent, so that the error answer is read and the connection lives', async () => {
    await using raw = await startRawUpstream(({ socket }) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    await using proxy = await startProxy(raw.origin, { body: 'stream' });
    const client = openClient(proxy.port, 'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 200000\r\n\r\nx');
    await client.heard('502 Bad Gateway');
    expect(await proxy.outcome()).toMatchObject({ kind: 'failed', reason: 'reset' });
    client.socket.write(`${'x'.repeat(199_999)}${post('{}')}`);
    await proxy.outcome(2);
  });

  it('shorter than its content-length is a local failure', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, {
      forward: {
        request: {
          method: 'POST',
          path: '/',
          headers: ['content-length', '9'],
          body: Readable.from([Buffer.from('x')]),
        },
      },
    });
    await send({ port: proxy.port, body: '{}' });
    expect(await proxy.outcome()).toMatchObject({ kind: 'failed', reason: 'local' });
  });
});
