import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, CHAT, STREAM } from '../support/client.ts';
import { ABC, open, received } from '../support/exchange.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { candidate } from '../support/overlay.ts';

/** A and B are one group, C is the next one; no other setting. Health is off, so that every test starts alike. */
describe('a fallback that needs no setting', () => {
  let gateway: TestGateway;
  let port: number;
  beforeAll(async () => {
    gateway = await startGateway({
      candidates: [
        candidate('provider-a'),
        candidate('provider-b'),
        candidate('provider-c', { selection_group: 1 }),
      ],
      policy: 'deterministic',
      routing: { retry: { perTryFirstByteMs: 700 }, viability: { enabled: false } },
      config: { timeouts: { idleMs: 700 } },
    });
    port = gateway.app.ports.proxy ?? 0;
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  beforeEach(() => {
    for (const name of ABC) gateway.upstream(name).reset();
  });
  const fail = (name: string, mode: Parameters<ReturnType<TestGateway['upstream']>['setMode']>[0]): void =>
    gateway.upstream(name).setMode(mode);

  it('a returned error and a thrown one both lead to the next provider (B13)', async () => {
    fail('provider-a', 'status:503');
    expect((await ask(port)).headers['x-switchyard-provider']).toBe('provider-b');
    fail('provider-a', 'reset');
    expect((await ask(port)).headers['x-switchyard-provider']).toBe('provider-b');
  });

  it('the lower group serves in the same request when the whole group fails (B14, B16)', async () => {
    fail('provider-a', 'status:503');
    fail('provider-b', 'status:503');
    const reply = await ask(port);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'x-switchyard-provider': 'provider-c',
      'x-switchyard-attempts': '3',
    });
  });

  it.each([400, 401, 402, 403, 404, 408, 409, 413, 422])(
    'status %i is the answer, after one call (B19, B32)',
    async (status) => {
      fail('provider-a', `status:${status}`);
      expect((await ask(port)).status).toBe(status);
      expect(received(gateway, ABC)).toEqual([1, 0, 0]);
    },
  );

  it.each([429, 500, 502, 503, 504, 529])('status %i moves on (B19)', async (status) => {
    fail('provider-a', `status:${status}`);
    expect((await ask(port)).status).toBe(200);
    expect(received(gateway, ABC)).toEqual([1, 1, 0]);
  });

  it.each(['cut:0', 'stall:0'] as const)(
    'a stream that dies before its content (%s) comes from another provider, whole (B22, B23)',
    async (mode) => {
      fail('provider-a', mode);
      const reply = await ask(port, { body: STREAM });
      expect(reply.headers['x-switchyard-provider']).toBe('provider-b');
      expect(reply.text.trimEnd().endsWith('data: [DONE]')).toBe(true);
      expect(reply.text).not.toContain('provider-a');
    },
  );

  it('a stream that dies after its content is visibly broken, and nobody continues it (B22, B58)', async () => {
    fail('provider-a', 'cut:3');
    const stream = await open(port, STREAM);
    const first = await stream.next();
    expect(String(first)).toContain('provider-a');
    await expect(stream.rest()).rejects.toThrow(/aborted|ECONNRESET/);
    expect(received(gateway, ABC)).toEqual([1, 0, 0]);
  });

  it('a stream that falls silent after its content is visibly broken too, and nobody continues it (B22, S5)', async () => {
    fail('provider-a', 'stall:3');
    const stream = await open(port, STREAM);
    expect(String(await stream.next())).toContain('provider-a');
    await expect(stream.rest()).rejects.toThrow(/aborted|ECONNRESET/);
    expect(received(gateway, ABC)).toEqual([1, 0, 0]);
    await expect(gateway.upstream('provider-a').requests[0]?.over).resolves.toBe('aborted');
  });

  it('a malformed line inside a stream goes through as it is (B22)', async () => {
    fail('provider-a', 'badjson:3');
    const reply = await ask(port, { body: STREAM });
    expect(reply.text).toContain('data: {"id":\n\n');
    expect(reply.text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });

  it('an error event in a stream is the provider’s own word and goes through, without a second provider (B25)', async () => {
    fail('provider-a', 'errevent');
    const reply = await ask(port, { body: STREAM });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('provider-a answers 500');
    expect(received(gateway, ABC)).toEqual([1, 0, 0]);
  });

  it('when everybody fails before content, the client gets a plain error and no 200 (B28)', async () => {
    fail('provider-a', 'cut:0');
    fail('provider-b', 'status:503');
    fail('provider-c', 'status:503');
    const reply = await ask(port, { body: STREAM });
    expect(reply.status).toBe(503);
    expect(reply.headers['content-type']).toContain('application/json');
  });

  it('a JSON error to a request for a stream arrives whole (B29)', async () => {
    fail('provider-a', 'status:400');
    const reply = await ask(port, { body: STREAM });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { message: 'provider-a answers 400' } });
    expect(Number(reply.headers['content-length'])).toBe(reply.body.length);
  });

  it('three failing providers are called once each, not once per retry of a retry (B31)', async () => {
    for (const name of ABC) fail(name, 'status:429');
    expect((await ask(port)).status).toBe(429);
    expect(received(gateway, ABC)).toEqual([1, 1, 1]);
  });

  it.each([
    ['a small body', 200],
    ['one that comes in many pieces', 700_000],
  ])('the second provider gets the very bytes of the first: %s (B35)', async (_what, bytes) => {
    fail('provider-a', 'status:503');
    const body = JSON.stringify({ model: 'demo-model', messages: [], padding: 'ü'.repeat(bytes / 2) });
    await ask(port, { body });
    const [a] = gateway.upstream('provider-a').requests;
    const [b] = gateway.upstream('provider-b').requests;
    expect(b?.body.equals(Buffer.from(body))).toBe(true);
    expect(a?.body.equals(b?.body ?? Buffer.alloc(0))).toBe(true);
    expect(b?.header('content-length')).toBe(String(Buffer.byteLength(body)));
  });
});

it('with routing.retry.attempts: 1 there is no second call, whatever goes wrong and whenever (B26)', async () => {
  await using gateway = await startGateway({
    policy: 'deterministic',
    routing: { retry: { attempts: 1, perTryFirstByteMs: 700 }, viability: { enabled: false } },
    config: { timeouts: { idleMs: 700 } },
  });
  // A reset comes on a new connection here: on a used one it may be the close of an idle connection, and is sent again there.
  const modes = [
    'reset',
    'cut:0',
    'cut:3',
    'stall:0',
    'stall:3',
    'errevent',
    'status:500',
    'status:429',
  ] as const;
  for (const mode of modes) {
    gateway.upstream('provider-a').next(mode);
    await ask(gateway.app.port('proxy'), { body: STREAM }).catch(() => undefined);
  }
  expect(received(gateway, ABC)).toEqual([modes.length, 0, 0]);
});

it('a group of one has nobody to retry with: the provider’s own 429 is the answer, with its headers (B20)', async () => {
  await using gateway = await startGateway({ clusters: ['provider-a'] });
  gateway.upstream('provider-a').setMode('status:429:7');
  const reply = await ask(gateway.app.ports.proxy ?? 0, { body: CHAT });
  expect(reply.status).toBe(429);
  expect(reply.headers['retry-after']).toBe('7');
  expect(reply.headers['x-switchyard-attempts']).toBe('1');
  expect(received(gateway, ['provider-a'])).toEqual([1]);
});
