import { createHash } from 'node:crypto';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { loadCassettes } from '../../src/cassette/load.ts';
import { CHECKED_IN, cassette, EVENT_STREAM, frames } from '../cassettes.ts';
import { ManualTiming } from '../play/manual-timing.ts';
import { send, sendForJson, startVcr } from './vcr.ts';

const ask = { model: 'm', messages: [] };

describe('replay', () => {
  it('gives back every checked-in cassette byte for byte', async () => {
    const cassettes = await loadCassettes(CHECKED_IN);
    await using vcr = await startVcr(cassettes);
    for (const { id, match, response } of cassettes) {
      const exchange = await send(vcr.port, match.body);
      expect(exchange.status).toBe(response.status);
      expect(exchange.headers).toMatchObject({
        ...response.headers,
        'x-vcr-cassette': id,
        'x-vcr-hit': 'true',
      });
      expect(await exchange.body).toEqual(Buffer.concat(response.chunks.map((chunk) => chunk.bytes)));
    }
  });

  it('keeps bytes that are no text', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const chunks = [{ offsetMs: 0, base64: bytes.toString('base64') }];
    await using vcr = await startVcr([cassette({ headers: { 'content-type': 'audio/mpeg' }, chunks })]);
    const exchange = await send(vcr.port, ask);
    expect(await exchange.body).toEqual(bytes);
    expect(exchange.headers['content-length']).toBe('256');
  });

  it('plays a large reply to a slow reader without loss', async () => {
    const text = 'x'.repeat(1_000_000);
    const chunks = frames(Array.from({ length: 20 }, (_, index) => `${index}${text}`));
    await using vcr = await startVcr([cassette({ headers: EVENT_STREAM, chunks })]);
    const exchange = await send(vcr.port, ask);
    const hash = createHash('sha256').update(await exchange.body);
    expect(hash.digest('hex')).toBe(
      createHash('sha256')
        .update(chunks.map((c) => c.text).join(''))
        .digest('hex'),
    );
  });

  it('replays errors and empty bodies as recorded', async () => {
    await using vcr = await startVcr([
      cassette({ id: 'busy', status: 503, headers: { 'retry-after': '7' }, chunks: [] }),
      cassette({ id: 'none', status: 204, body: { other: 1 }, headers: {}, chunks: [] }),
    ]);
    const busy = await send(vcr.port, ask);
    expect([busy.status, busy.headers['retry-after'], busy.headers['content-length']]).toEqual([
      503,
      '7',
      '0',
    ]);
    expect((await send(vcr.port, { other: 1 })).status).toBe(204);
  });

  it('ignores a query, and serves duplicates in order', async () => {
    const takes = ['a', 'b'].map((id) => cassette({ id }));
    await using vcr = await startVcr(takes);
    const ids: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const exchange = await send(vcr.port, ask, { path: '/v1/chat/completions?api-version=1' });
      ids.push(exchange.headers['x-vcr-cassette']);
    }
    expect(ids).toEqual(['a', 'b', 'b']);
  });
});

describe('pace', () => {
  const chunks = frames(['one', 'two', 'three', 'four']);
  const stream = cassette({ headers: EVENT_STREAM, chunks });

  it.each([
    [1, [40, 50, 60, 70]],
    [10, [4, 5, 6, 7]],
    [0.5, [80, 100, 120, 140]],
  ])('at speed %d each chunk leaves at its offset, not earlier', async (speed, dueMs) => {
    const timing = new ManualTiming();
    await using vcr = await startVcr([stream], { timing, speed });
    const sent = send(vcr.port, ask);
    const reached = [await timing.advanceToNextWait()];
    // The head comes with the first chunk: from here on, chunks can be seen arriving.
    const exchange = await sent;
    for (let i = 1; i <= chunks.length; i++) {
      await waitUntil(() => exchange.chunks.length >= i, { intervalMs: 1 });
      expect(exchange.chunks.map(String)).toEqual(chunks.slice(0, i).map((chunk) => chunk.text));
      if (i < chunks.length) reached.push(await timing.advanceToNextWait());
    }
    expect(reached).toEqual(dueMs);
    await exchange.body;
    const [reply] = await waitUntil(() => vcr.replies.length > 0 && vcr.replies);
    expect(reply).toMatchObject({ durationMs: dueMs.at(-1), aborted: false, bytes: 15 });
  });

  it('at speed 0 never waits', async () => {
    const timing = new ManualTiming();
    await using vcr = await startVcr([stream], { timing, speed: 0 });
    expect(String(await (await send(vcr.port, ask)).body)).toBe('onetwothreefour');
    expect(timing.waiting).toBe(0);
  });

  it('catches up after a late timer: delays do not add up', async () => {
    const timing = new ManualTiming();
    await using vcr = await startVcr([stream], { timing, speed: 1 });
    const sent = send(vcr.port, ask);
    await waitUntil(() => timing.waiting > 0, { intervalMs: 1 });
    timing.advance(65);
    const exchange = await sent;
    await waitUntil(() => Buffer.concat(exchange.chunks).toString() === 'onetwothree', { intervalMs: 1 });
    expect(await timing.advanceToNextWait()).toBe(70);
    await exchange.body;
  });
});

describe('abort', () => {
  const stream = cassette({ headers: EVENT_STREAM, chunks: frames(['one', 'two', 'three']) });

  it('stops the replay when the client leaves in mid-stream', async () => {
    const timing = new ManualTiming();
    await using vcr = await startVcr([stream], { timing, speed: 1 });
    const sent = send(vcr.port, ask);
    await timing.advanceToNextWait();
    const exchange = await sent;
    await waitUntil(() => timing.waiting > 0, { intervalMs: 1 });
    exchange.abort();
    const [reply] = await waitUntil(() => vcr.replies.length > 0 && vcr.replies);
    expect(reply).toMatchObject({ status: 200, cassette: 'test', hit: true, bytes: 3, aborted: true });
    expect(timing.waiting).toBe(0);
  });

  it('stops before the first chunk when the client leaves that early', async () => {
    const timing = new ManualTiming();
    await using vcr = await startVcr([stream], { timing, speed: 1 });
    let abort: () => void = () => {};
    const sent = send(vcr.port, ask, { onSent: (how) => (abort = how) });
    await waitUntil(() => timing.waiting > 0, { intervalMs: 1 });
    abort();
    await expect(sent).rejects.toThrow();
    const [reply] = await waitUntil(() => vcr.replies.length > 0 && vcr.replies);
    expect(reply).toMatchObject({ status: 499, hit: true, bytes: 0, aborted: true });
  });

  it('logs a client that leaves while it still sends', async () => {
    await using vcr = await startVcr([stream]);
    let abort: () => void = () => {};
    const headers = { 'content-length': '1000', expect: '' };
    const sent = send(vcr.port, 'half', { headers, onSent: (how) => (abort = how) });
    const leaving = expect(sent).rejects.toThrow();
    setImmediate(() => abort());
    await leaving;
    // Either the server never saw the request, or it logs it as aborted; it goes on in both cases.
    expect((await sendForJson(vcr.port, undefined, { method: 'GET', path: '/health' })).status).toBe(200);
    expect(vcr.replies.every((reply) => reply.aborted && reply.status === 499)).toBe(true);
  });
});

describe('close', () => {
  it('lets a running replay finish and closes kept-alive connections', async () => {
    const timing = new ManualTiming();
    const vcr = await startVcr([cassette({ headers: EVENT_STREAM, chunks: frames(['one', 'two']) })], {
      timing,
      speed: 1,
    });
    const sent = send(vcr.port, ask, { headers: { connection: 'keep-alive' } });
    await timing.advanceToNextWait();
    const exchange = await sent;
    const closed = vcr.close(5000);
    await timing.advanceToNextWait();
    expect(String(await exchange.body)).toBe('onetwo');
    await closed;
    expect(vcr.replies).toMatchObject([{ aborted: false, bytes: 6 }]);
  });
});
