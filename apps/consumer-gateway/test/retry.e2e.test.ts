import { waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, CHAT, STREAM } from './support/client.ts';
import { accessLines, lineSince, startGateway, type TestGateway } from './support/gateway.ts';
import { candidate } from './support/overlay.ts';

const grouped = [
  candidate('provider-a'),
  candidate('provider-b'),
  candidate('provider-c', { selection_group: 1 }),
];

const names = ['provider-a', 'provider-b', 'provider-c'];
// Deterministic, so that every test begins at provider-a whatever the one before it did.
let shared: TestGateway;
beforeAll(async () => {
  shared = await startGateway({
    candidates: grouped,
    policy: 'deterministic',
    cluster: { providerHop: true },
    // Failures of one test must not eject a provider from the next.
    routing: { viability: { enabled: false } },
  });
});
afterAll(() => shared[Symbol.asyncDispose]());
beforeEach(() => {
  for (const name of names) shared.upstream(name).reset();
});

describe('a failed attempt', () => {
  it.each([
    'status:429',
    'status:500',
    'status:502',
    'status:503',
    'status:504',
    'status:529',
    'reset',
    'cut:0',
  ] as const)('%s moves on inside the group, with a pristine request', async (mode) => {
    const gateway = shared;
    gateway.upstream('provider-a').setMode(mode);
    const reply = await ask(gateway.app.port('proxy'), { headers: { 'x-own': 'kept' } });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'x-switchyard-provider': 'provider-b',
      'x-switchyard-attempts': '2',
      'x-switchyard-group': '0',
    });
    const [first] = gateway.upstream('provider-a').requests;
    const [second] = gateway.upstream('provider-b').requests;
    expect(second?.body.toString()).toBe(CHAT);
    expect(second?.header('x-own')).toBe('kept');
    expect(second?.header('x-ai-routing-candidate')).not.toBe(first?.header('x-ai-routing-candidate'));
    expect(second?.header('x-ai-routing-request-id')).toBe(first?.header('x-ai-routing-request-id'));
    expect(second?.rawHeaders.filter((name) => name === 'x-ai-routing-candidate')).toHaveLength(1);
  });

  it('falls through to the lower group when the whole group fails, and comes back to nobody’s loss', async () => {
    await using gateway = await startGateway({ candidates: grouped });
    const port = gateway.app.port('proxy');
    gateway.upstream('provider-a').setMode('status:503');
    gateway.upstream('provider-b').setMode('reset');
    const reply = await ask(port);
    expect(reply.headers).toMatchObject({
      'x-switchyard-provider': 'provider-c',
      'x-switchyard-attempts': '3',
      'x-switchyard-group': '1',
    });
    gateway.upstream('provider-a').setMode('ok');
    gateway.upstream('provider-b').setMode('ok');
    const served: unknown[] = [];
    for (let i = 0; i < 4; i++) served.push((await ask(port)).headers['x-switchyard-provider']);
    expect(served).toEqual(['provider-b', 'provider-a', 'provider-b', 'provider-a']);
    const line = await waitUntil(() => accessLines(gateway)[0]);
    expect(line).toMatchObject({
      provider: 'provider-c',
      attempts: 3,
      fallthrough: true,
      status: 200,
      tried: [
        { provider: 'provider-a', result: 'status_503' },
        { provider: 'provider-b', result: 'reset' },
        { provider: 'provider-c', result: 'answered' },
      ],
    });
  });

  it('moves on from a provider that cannot be reached', async () => {
    await using gateway = await startGateway({ candidates: grouped });
    await gateway.upstream('provider-a').close();
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'x-switchyard-provider': 'provider-b',
      'x-switchyard-attempts': '2',
    });
  });

  it('answers 502 when no provider can be reached, in its own words and without addresses', async () => {
    await using gateway = await startGateway({ candidates: grouped });
    for (const name of ['provider-a', 'provider-b', 'provider-c']) await gateway.upstream(name).close();
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.status).toBe(502);
    expect(JSON.parse(reply.text)).toEqual({
      error: {
        message: 'the provider could not be reached (3 attempts: ECONNREFUSED)',
        type: 'server_error',
        param: null,
        code: 'upstream_connect_failed',
      },
    });
    expect(reply.headers['x-switchyard-attempts']).toBe('3');
  });

  it('passes the last real answer through untouched when no candidate is left', async () => {
    const gateway = shared;
    for (const name of ['provider-a', 'provider-b', 'provider-c'])
      gateway.upstream(name).setMode('status:503:7');
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.status).toBe(503);
    expect(reply.headers).toMatchObject({
      'retry-after': '7',
      'x-fault-upstream': 'provider-c',
      'x-switchyard-attempts': '3',
    });
    expect(reply.text).toContain('provider-c answers 503');
  });

  it.each([400, 401, 404, 422])('%i is the answer, at the first provider', async (status) => {
    const gateway = shared;
    gateway.upstream('provider-a').setMode(`status:${status}`);
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(`provider-a answers ${status}`);
    expect(gateway.upstream('provider-b').requests).toHaveLength(0);
  });

  it('stops at retry.attempts', async () => {
    await using gateway = await startGateway({ candidates: grouped, routing: { retry: { attempts: 2 } } });
    for (const name of ['provider-a', 'provider-b', 'provider-c'])
      gateway.upstream(name).setMode('status:500');
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.headers).toMatchObject({ 'x-fault-upstream': 'provider-b', 'x-switchyard-attempts': '2' });
    expect(gateway.upstream('provider-c').requests).toHaveLength(0);
  });

  it('is the only one for a body above limits.replayBodyBytes', async () => {
    await using gateway = await startGateway({
      candidates: grouped,
      config: { limits: { replayBodyBytes: CHAT.length - 1 } },
    });
    gateway.upstream('provider-a').setMode('status:503');
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.status).toBe(503);
    expect(gateway.upstream('provider-b').requests).toHaveLength(0);
  });

  it('moves on from a 200 that stalls before its first byte, and answers 504 when all do', async () => {
    await using gateway = await startGateway({
      candidates: grouped,
      routing: { retry: { perTryFirstByteMs: 150 } },
    });
    const port = gateway.app.port('proxy');
    gateway.upstream('provider-a').setMode('stall:0');
    const moved = await ask(port, { body: STREAM });
    expect(moved.headers).toMatchObject({
      'x-switchyard-provider': 'provider-b',
      'x-switchyard-attempts': '2',
    });
    for (const name of ['provider-a', 'provider-b', 'provider-c']) gateway.upstream(name).setMode('hang');
    const reply = await ask(port);
    expect(reply.status).toBe(504);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'upstream_timeout' } });
  });

  it('leaves no binding behind: the session is bound to the provider that answered', async () => {
    await using gateway = await startGateway({ candidates: grouped });
    const port = gateway.app.port('proxy');
    gateway.upstream('provider-a').next('status:503');
    const served = async (): Promise<unknown> =>
      (await ask(port, { headers: { 'x-session-id': 'one' } })).headers['x-switchyard-provider'];
    expect([await served(), await served(), await served()]).toEqual([
      'provider-b',
      'provider-b',
      'provider-b',
    ]);
  });
});

describe('after the first byte', () => {
  it('a cut stream is visibly broken and never tried elsewhere', async () => {
    const gateway = shared;
    const since = Date.now();
    gateway.upstream('provider-a').setMode('cut:2');
    await expect(ask(gateway.app.port('proxy'), { body: STREAM })).rejects.toThrow(
      /aborted|ECONNRESET|hang up/,
    );
    const line = await lineSince(gateway, since);
    expect(line).toMatchObject({
      outcome: 'upstream_error',
      status: 200,
      tried: [{ result: 'broken' }],
    });
    expect(gateway.upstream('provider-b').requests).toHaveLength(0);
  });
});
