import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFaultUpstream } from '@switchyard/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createUpstream,
  type ForwardOutcome,
  forward,
  type Upstream,
  type UpstreamHead,
} from '../../src/index.ts';
import { send, valuesOf } from '../support/client.ts';
import { startProxy } from '../support/proxy.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';

const STREAM = '{"model":"m","stream":true}';

describe('before the commit point nothing reaches the client', () => {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  /** A server that tries the origins in turn, with one `outgoing`, until one of them commits. */
  async function startFailover(
    origins: readonly string[],
  ): Promise<{ port: number; outcomes: ForwardOutcome[] }> {
    const upstreams: Upstream[] = origins.map((origin) => createUpstream({ origin }));
    const outcomes: ForwardOutcome[] = [];
    const attempt = async (outgoing: ServerResponse): Promise<void> => {
      for (const upstream of upstreams) {
        const outcome = await forward({
          upstream,
          outgoing,
          request: {
            method: 'POST',
            path: '/',
            headers: ['content-type', 'text/plain'],
            body: Buffer.from(STREAM),
          },
          judge: ({ status }) => (status >= 500 || status === 429 ? 'reject' : 'commit'),
          timeouts: { firstByteMs: 400 },
        });
        outcomes.push(outcome);
        if (outcome.kind !== 'failed' && outcome.kind !== 'rejected') return;
      }
    };
    const server = createServer((_incoming, outgoing) => void attempt(outgoing));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    cleanUps.push(() => server.close(), ...upstreams.map((upstream) => () => upstream.destroy()));
    return { port: (server.address() as AddressInfo).port, outcomes };
  }

  it('the next attempt answers alone after 503, a reset, a stalled 200 and a refused connection', async () => {
    await using busy = await startFaultUpstream({ mode: 'status:503:7' });
    await using resets = await startFaultUpstream({ mode: 'reset' });
    await using stalls = await startRawUpstream(({ socket }) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-stalled: 1\r\ncontent-length: 4\r\n\r\n'));
    });
    await using gone = await startFaultUpstream();
    await using good = await startFaultUpstream({ name: 'good' });
    const origins = [busy.origin, resets.origin, stalls.origin, gone.origin, good.origin];
    const { port, outcomes } = await startFailover(origins);
    // Now that the others listen: closed before, its port could become one of theirs.
    await gone.close();
    const answer = await send({ port });
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toContain('[DONE]');
    expect(valuesOf(answer.rawHeaders, 'x-fault-upstream')).toEqual(['good']);
    expect(valuesOf(answer.rawHeaders, 'x-stalled')).toEqual([]);
    expect(outcomes).toMatchObject([
      { kind: 'rejected', status: 503, retryAfter: '7' },
      { kind: 'failed', reason: 'reset' },
      { kind: 'failed', reason: 'first_byte_timeout' },
      { kind: 'failed', reason: 'connect' },
      { kind: 'completed', status: 200 },
    ]);
    expect(good.requests[0]?.body.toString()).toBe(STREAM);
  });

  it('a 200 that dies before its first byte is a failure, not a broken answer', async () => {
    await using dies = await startRawUpstream(({ socket }) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', () =>
          setTimeout(() => socket.end(), 20),
        );
      });
    });
    await using good = await startFaultUpstream();
    const { port, outcomes } = await startFailover([dies.origin, good.origin]);
    expect((await send({ port })).status).toBe(200);
    expect(outcomes).toMatchObject([{ kind: 'failed', reason: 'reset' }, { kind: 'completed' }]);
  });

  it('listeners do not pile up on a response over many attempts', async () => {
    await using busy = await startFaultUpstream({ mode: 'status:500' });
    await using good = await startFaultUpstream();
    const { port } = await startFailover([...Array<string>(30).fill(busy.origin), good.origin]);
    const warnings: Error[] = [];
    process.on('warning', (warning) => warnings.push(warning));
    expect((await send({ port })).status).toBe(200);
    expect(warnings).toEqual([]);
  });
});

describe('judge', () => {
  it('sees the raw head once, and a refused small answer leaves its connection usable', async () => {
    const heads: UpstreamHead[] = [];
    await using faulty = await startFaultUpstream({ mode: 'status:429:3' });
    await using proxy = await startProxy(faulty.origin, {
      forward: {
        judge: (head) => {
          heads.push(head);
          return 'reject';
        },
      },
    });
    await send({ port: proxy.port, body: STREAM });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await send({ port: proxy.port, body: STREAM });
    expect(proxy.outcomes).toEqual(Array(2).fill({ kind: 'rejected', status: 429, retryAfter: '3' }));
    expect(heads).toHaveLength(2);
    expect(heads[0]).toMatchObject({ status: 429, statusMessage: 'Too Many Requests' });
    expect(faulty.connections).toBe(1);
  });

  it('a refused endless answer is given up after 64 KiB', async () => {
    await using faulty = await startFaultUpstream({ mode: 'flood:100000' });
    await using proxy = await startProxy(faulty.origin, { forward: { judge: () => 'reject' } });
    await send({ port: proxy.port, body: STREAM });
    expect(await faulty.requests[0]?.over).toBe('aborted');
  });

  it('a refused answer that stalls is given up after a second', async () => {
    await using faulty = await startFaultUpstream({ mode: 'stall:1' });
    await using proxy = await startProxy(faulty.origin, { forward: { judge: () => 'reject' } });
    await send({ port: proxy.port, body: STREAM });
    expect(await faulty.requests[0]?.over).toBe('aborted');
  });
});

describe("the caller's callbacks", () => {
  it('edit the headers, and hear of the first byte once', async () => {
    let firstBytes = 0;
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, {
      forward: {
        responseHeaders: (headers) => [...headers, 'x-added', '1'],
        onFirstByte: () => firstBytes++,
      },
    });
    const answer = await send({ port: proxy.port, body: STREAM });
    expect(valuesOf(answer.rawHeaders, 'x-added')).toEqual(['1']);
    await proxy.outcome();
    expect(firstBytes).toBe(1);
  });

  const boom = (): never => {
    throw new TypeError('boom');
  };
  it.each([
    ['judge', { judge: boom }],
    ['responseHeaders', { responseHeaders: boom }],
    ['onFirstByte', { onFirstByte: boom }],
    ['responseHeaders with an impossible value', { responseHeaders: () => ['x-bad', 'a\r\nb'] }],
  ])('that fail count against nobody: %s', async (_name, callbacks) => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, { forward: callbacks });
    const answer = await send({ port: proxy.port, body: STREAM });
    expect(answer.status).toBe(502);
    const outcome = await proxy.outcome();
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'local' });
    expect(outcome.kind === 'failed' && outcome.error.cause).toBeInstanceOf(Error);
  });
});
