import { startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/proxy.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { openClient, post } from '../support/stream-client.ts';

/** How long the upstream may go on after the client has left. */
const WITHIN_MS = 100;

/** Cuts the client and measures until the upstream's connection is closed. */
async function msUntil(gone: Promise<unknown>, leave: () => void): Promise<number> {
  const started = performance.now();
  leave();
  await gone;
  return performance.now() - started;
}

// Repeated, because a busy machine can be slower than the limit.
describe('the client leaves', { retry: 2 }, () => {
  it('while the connection to the upstream is still coming up: the handshake is given up', async () => {
    await using raw = await startRawUpstream(() => {});
    await using proxy = await startProxy(raw.origin.replace('http:', 'https:'));
    const client = openClient(proxy.port, post());
    const connection = await raw.connection();
    // The first byte of a TLS hello.
    await connection.heard('\x16');
    expect(await msUntil(connection.gone, () => client.socket.destroy())).toBeLessThan(WITHIN_MS);
    expect(await proxy.outcome()).toEqual({ kind: 'client_gone', committed: false, responseBytes: 0 });
  });

  it('while waiting for a free connection: nothing is sent, and the connection in use lives on', async () => {
    await using faulty = await startFaultUpstream({ mode: 'slow:150' });
    await using proxy = await startProxy(faulty.origin, { upstream: { connections: 1 } });
    const first = openClient(proxy.port, post());
    await faulty.waitForRequest();
    const second = openClient(proxy.port, post());
    await proxy.forwarding(2);
    second.socket.destroy();
    expect(await proxy.outcome()).toEqual({ kind: 'client_gone', committed: false, responseBytes: 0 });
    await first.heard('200 OK');
    const third = openClient(proxy.port, post());
    await third.heard('200 OK');
    expect(faulty.requests).toHaveLength(2);
    expect(faulty.connections).toBe(1);
  });

  it('before the head', async () => {
    await using raw = await startRawUpstream(() => {});
    await using proxy = await startProxy(raw.origin);
    const client = openClient(proxy.port, post());
    const connection = await raw.connection();
    await connection.heard('"model"');
    expect(await msUntil(connection.gone, () => client.socket.destroy())).toBeLessThan(WITHIN_MS);
    expect(await proxy.outcome()).toEqual({ kind: 'client_gone', committed: false, responseBytes: 0 });
  });

  it('between the head and the first byte', async () => {
    await using raw = await startRawUpstream(({ socket }) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'));
    });
    await using proxy = await startProxy(raw.origin);
    const client = openClient(proxy.port, post());
    const connection = await raw.connection();
    await connection.heard('"model"');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(client.received).toBe('');
    expect(await msUntil(connection.gone, () => client.socket.destroy())).toBeLessThan(WITHIN_MS);
    expect(await proxy.outcome()).toEqual({ kind: 'client_gone', committed: false, responseBytes: 0 });
  });

  it.each(['reset', 'fin'] as const)('in the middle of a silent stream, with a %s', async (how) => {
    await using raw = await startRawUpstream(({ socket }) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'),
      );
    });
    await using proxy = await startProxy(raw.origin);
    const client = openClient(proxy.port, post());
    await client.heard('hello');
    const connection = await raw.connection();
    const leave = () => (how === 'reset' ? client.socket.resetAndDestroy() : client.socket.end());
    expect(await msUntil(connection.gone, leave)).toBeLessThan(WITHIN_MS);
    expect(await proxy.outcome()).toEqual({
      kind: 'client_gone',
      committed: true,
      responseBytes: expect.toSatisfy((bytes: number) => bytes > 0) as number,
    });
  });

  it('while the upstream is paused because the client does not read', async () => {
    await using faulty = await startFaultUpstream({ mode: 'flood:2000' });
    await using proxy = await startProxy(faulty.origin);
    const client = openClient(proxy.port, post('{"stream":true}'));
    await client.heard('200 OK');
    client.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const request = await faulty.waitForRequest();
    expect(await msUntil(request.over, () => client.socket.resetAndDestroy())).toBeLessThan(WITHIN_MS);
    expect(await request.over).toBe('aborted');
    expect(await proxy.outcome()).toEqual({
      kind: 'client_gone',
      committed: true,
      responseBytes: expect.toSatisfy((bytes: number) => bytes > 0) as number,
    });
  });

  it('in the middle of its upload', async () => {
    await using raw = await startRawUpstream(() => {});
    await using proxy = await startProxy(raw.origin, { body: 'stream' });
    const client = openClient(
      proxy.port,
      'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\nbeginning',
    );
    const connection = await raw.connection();
    await connection.heard('beginning');
    expect(await msUntil(connection.gone, () => client.socket.destroy())).toBeLessThan(WITHIN_MS);
    expect(await proxy.outcome()).toEqual({ kind: 'client_gone', committed: false, responseBytes: 0 });
  });

  it('with two pipelined requests: both upstream exchanges end', async () => {
    await using raw = await startRawUpstream(() => {});
    await using proxy = await startProxy(raw.origin);
    const client = openClient(proxy.port, post() + post());
    const [one, two] = [await raw.connection(1), await raw.connection(2)];
    await Promise.all([one.heard('"model"'), two.heard('"model"')]);
    const gone = Promise.all([one.gone, two.gone]);
    expect(await msUntil(gone, () => client.socket.destroy())).toBeLessThan(WITHIN_MS);
    await proxy.outcome(2);
    expect(proxy.outcomes).toEqual(
      Array(2).fill({ kind: 'client_gone', committed: false, responseBytes: 0 }),
    );
  });

  it('before forward() was called: nothing is dispatched', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin);
    proxy.server.prependListener('request', (incoming) => incoming.socket.destroy());
    openClient(proxy.port, post());
    expect(await proxy.outcome()).toEqual({ kind: 'client_gone', committed: false, responseBytes: 0 });
    expect(faulty.connections).toBe(0);
  });
});

describe('exchanges that ended well', () => {
  it('are not taken for aborted by the close that follows', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin);
    const client = openClient(proxy.port, post('{}', ['Connection: close']));
    await client.ended;
    expect(await proxy.outcome()).toMatchObject({ kind: 'completed', status: 200 });
    expect(faulty.requests[0]?.aborted).toBe(false);
  });
});
