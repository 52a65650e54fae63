import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ManualClock, startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import {
  createUpstream,
  type Upstream,
  type UpstreamFailure,
  type UpstreamRequest,
} from '../../src/index.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';

const POST: UpstreamRequest = { method: 'POST', path: '/', headers: [], body: Buffer.from('{"model":"m"}') };

type Answer = { status: number; body: string } | UpstreamFailure;

/**
 * Sends one request, `afterMs` after the call; 0 = in the same turn. undici takes a connection back one turn after its
 * answer, so that a request sent sooner gets another one.
 */
async function dispatch(upstream: Upstream, afterMs = 5, request: UpstreamRequest = POST): Promise<Answer> {
  if (afterMs > 0) await delay(afterMs);
  return new Promise((resolve) => {
    let status = 0;
    let body = '';
    upstream.dispatch(request, {
      onHead: (head) => {
        status = head.status;
      },
      onData: (chunk) => {
        body += chunk.toString();
      },
      onEnd: () => resolve({ status, body }),
      onError: resolve,
    });
  });
}

describe('an upstream that closes idle connections without a hint', () => {
  it('fails none of 500 sequential requests when it closes right after each answer', async () => {
    let accepted = 0;
    const server = createServer((incoming, outgoing) => {
      incoming.resume();
      incoming.on('end', () => outgoing.end('ok', () => incoming.socket.end()));
    });
    server.on('connection', () => accepted++);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const upstream = createUpstream({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const failures: Answer[] = [];
    for (let i = 0; i < 500; i++) {
      const answer = await dispatch(upstream, i % 4);
      if (!('status' in answer) || answer.body !== 'ok') failures.push(answer);
    }
    await upstream.destroy();
    server.close();
    expect(failures).toEqual([]);
    expect(accepted).toBeGreaterThan(400);
  });

  it('fails none of 200 requests spaced around its idle limit', async () => {
    await using faulty = await startFaultUpstream({ mode: 'idle:5' });
    const upstream = createUpstream({ origin: faulty.origin });
    const failures: Answer[] = [];
    for (let i = 0; i < 200; i++) {
      const answer = await dispatch(upstream, 3 + (i % 5));
      if (!('status' in answer)) failures.push(answer);
    }
    await upstream.destroy();
    expect(failures).toEqual([]);
  });
});

/** Answers the first request of a connection, then does `fate` to the second. */
function secondRequestDies(fate: 'reset' | 'fin' | 'one byte, then reset') {
  return startRawUpstream(({ socket, number }) => {
    let requests = 0;
    socket.on('data', () => {
      requests++;
      if (number > 1 || requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      else if (fate === 'fin') socket.end();
      else if (fate === 'reset') socket.resetAndDestroy();
      else socket.write('H', () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
  });
}

describe('a connection that dies under a request', () => {
  it.each(['reset', 'fin'] as const)(
    're-sends once on a fresh connection after %s of a used one',
    async (fate) => {
      await using raw = await secondRequestDies(fate);
      const upstream = createUpstream({ origin: raw.origin });
      expect(await dispatch(upstream)).toEqual({ status: 200, body: 'ok' });
      expect(await dispatch(upstream)).toEqual({ status: 200, body: 'ok' });
      expect(raw.connections).toHaveLength(2);
      expect(raw.connections[0]?.received.split('POST /')).toHaveLength(3);
      expect(raw.connections[1]?.received).toContain('{"model":"m"}');
      expect(raw.connections[1]?.received.split('POST /')).toHaveLength(2);
      await upstream.destroy();
    },
  );

  it('does not re-send when one byte of an answer had come', async () => {
    await using raw = await secondRequestDies('one byte, then reset');
    const upstream = createUpstream({ origin: raw.origin });
    await dispatch(upstream);
    expect(await dispatch(upstream)).toMatchObject({ reason: 'reset' });
    expect(raw.connections).toHaveLength(1);
    await upstream.destroy();
  });

  it('does not re-send when the connection was new', async () => {
    await using raw = await startRawUpstream(({ socket }) =>
      socket.once('data', () => socket.resetAndDestroy()),
    );
    const upstream = createUpstream({ origin: raw.origin });
    expect(await dispatch(upstream)).toMatchObject({ reason: 'reset' });
    expect(raw.connections).toHaveLength(1);
    await upstream.destroy();
  });

  it('does not re-send a streamed body', async () => {
    await using raw = await secondRequestDies('reset');
    const upstream = createUpstream({ origin: raw.origin });
    await dispatch(upstream);
    expect(await dispatch(upstream, 5, { ...POST, body: Readable.from([Buffer.from('x')]) })).toMatchObject({
      reason: 'reset',
    });
    expect(raw.connections).toHaveLength(1);
    await upstream.destroy();
  });

  it.each([
    { silentMs: 999, sent: 2 },
    { silentMs: 1000, sent: 1 },
    { silentMs: 30_000, sent: 1 },
    { silentMs: 40, resendMs: 40, sent: 1 },
    { silentMs: 0, resendMs: 0, sent: 1 },
  ])('after a silence: %o', async ({ silentMs, sent, ...options }) => {
    const clock = new ManualClock();
    let received = 0;
    await using raw = await startRawUpstream(({ socket }) =>
      socket.on('data', () => {
        received++;
        if (received !== 2) {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
          return;
        }
        clock.advance(silentMs);
        socket.resetAndDestroy();
      }),
    );
    const monotonicMs = (): number => clock.monotonicMs();
    const upstream = createUpstream({ origin: raw.origin, monotonicMs, ...options });
    await dispatch(upstream);
    expect(await dispatch(upstream)).toMatchObject(sent === 2 ? { status: 200 } : { reason: 'reset' });
    expect(received).toBe(1 + sent);
    await upstream.destroy();
  });

  it('re-sends only once', async () => {
    await using raw = await startRawUpstream(({ socket, number }) => {
      let requests = 0;
      socket.on('data', () => {
        requests++;
        if (number === 1 && requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else socket.resetAndDestroy();
      });
    });
    const upstream = createUpstream({ origin: raw.origin });
    await dispatch(upstream);
    expect(await dispatch(upstream)).toMatchObject({ reason: 'reset' });
    expect(raw.connections).toHaveLength(2);
    await upstream.destroy();
  });
});
