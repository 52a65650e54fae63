import { startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { startProxy } from '../support/proxy.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { openClient, post } from '../support/stream-client.ts';

const STREAM = '{"model":"m","stream":true}';

describe('firstByteMs', () => {
  it.each(['hang', 'stall:0'] as const)(
    'gives up an upstream that %ss, and nothing was sent',
    async (mode) => {
      await using faulty = await startFaultUpstream({ mode });
      await using proxy = await startProxy(faulty.origin, { forward: { timeouts: { firstByteMs: 60 } } });
      const answer = await send({ port: proxy.port, body: STREAM });
      expect([answer.status, answer.broken]).toEqual([502, false]);
      const outcome = await proxy.outcome();
      expect(outcome).toMatchObject({ kind: 'failed', reason: 'first_byte_timeout' });
      expect(outcome.kind === 'failed' && outcome.error.message).toContain('within firstByteMs 60');
      expect(await faulty.requests[0]?.over).toBe('aborted');
    },
  );

  it('does not cut an answer that began in time', async () => {
    await using faulty = await startFaultUpstream({ mode: 'pace:70' });
    await using proxy = await startProxy(faulty.origin, { forward: { timeouts: { firstByteMs: 300 } } });
    const answer = await send({ port: proxy.port, body: STREAM });
    expect(answer.broken).toBe(false);
  });

  it('counts from the last piece of an upload that is still being sent', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, {
      body: 'stream',
      forward: { timeouts: { firstByteMs: 400 } },
    });
    const client = openClient(proxy.port, 'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 6\r\n\r\n');
    for (const letter of '{"a":1') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      client.socket.write(letter);
    }
    await client.heard('200 OK');
  });
});

describe('idleMs', () => {
  it('breaks a stream that has fallen silent', async () => {
    await using faulty = await startFaultUpstream({ mode: 'stall:2' });
    await using proxy = await startProxy(faulty.origin, { forward: { timeouts: { idleMs: 60 } } });
    const answer = await send({ port: proxy.port, body: STREAM });
    expect(answer.broken).toBe(true);
    expect(await proxy.outcome()).toMatchObject({ kind: 'broken', reason: 'idle_timeout', status: 200 });
    expect(await faulty.requests[0]?.over).toBe('aborted');
  });

  it('does not touch a slow but steady stream', async () => {
    await using faulty = await startFaultUpstream({ mode: 'pace:70' });
    await using proxy = await startProxy(faulty.origin, { forward: { timeouts: { idleMs: 350 } } });
    const answer = await send({ port: proxy.port, body: STREAM });
    expect(answer.broken).toBe(false);
  });

  it('frees the upstream from a client that stops reading, and does not blame it', async () => {
    await using faulty = await startFaultUpstream({ mode: 'flood:1000' });
    await using proxy = await startProxy(faulty.origin, { forward: { timeouts: { idleMs: 100 } } });
    const client = openClient(proxy.port, post(STREAM));
    client.socket.pause();
    expect(await proxy.outcome()).toEqual({
      kind: 'client_gone',
      committed: true,
      responseBytes: expect.toSatisfy((bytes: number) => bytes > 0) as number,
    });
    expect(await faulty.requests[0]?.over).toBe('aborted');
    client.socket.resume();
    await client.ended;
    expect(client.received).not.toContain('\r\n0\r\n\r\n');
  });
});

describe('totalMs', () => {
  it('breaks a stream that never ends', async () => {
    await using faulty = await startFaultUpstream({ mode: 'pace:40' });
    await using proxy = await startProxy(faulty.origin, { forward: { timeouts: { totalMs: 100 } } });
    const answer = await send({ port: proxy.port, body: STREAM });
    expect(answer.broken).toBe(true);
    expect(await proxy.outcome()).toMatchObject({ kind: 'broken', reason: 'total_timeout' });
  });

  it('is a first_byte_timeout before anything was sent, and says which limit it was', async () => {
    await using faulty = await startFaultUpstream({ mode: 'hang' });
    await using proxy = await startProxy(faulty.origin, { forward: { timeouts: { totalMs: 60 } } });
    await send({ port: proxy.port, body: STREAM });
    const outcome = await proxy.outcome();
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'first_byte_timeout' });
    expect(outcome.kind === 'failed' && outcome.error.message).toContain('totalMs 60');
  });
});

describe('connectMs', () => {
  it('gives up an upstream that never finishes its handshake', async () => {
    await using raw = await startRawUpstream(() => {});
    await using proxy = await startProxy(raw.origin.replace('http:', 'https:'), {
      upstream: { connectMs: 80 },
    });
    const connection = raw.connection();
    await send({ port: proxy.port, body: STREAM });
    const outcome = await proxy.outcome();
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connect' });
    expect(outcome.kind === 'failed' && outcome.error.message).toContain('not connected within connectMs 80');
    await (await connection).gone;
  });
});
