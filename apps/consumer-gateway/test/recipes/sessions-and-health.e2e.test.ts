import { describe, expect, it } from 'vitest';
import { ask, STREAM } from '../support/client.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { candidate, overlay } from '../support/overlay.ts';
import { ABC, open, received } from './support.ts';

async function served(gateway: TestGateway, text: { revision: string; text: string }): Promise<void> {
  await gateway.publish(text.text);
  const page = async (): Promise<string> =>
    (await ask(gateway.app.ports.admin ?? 0, { method: 'GET', path: '/admin/overlay' })).text;
  await expect.poll(page, { timeout: 15_000 }).toContain(`"serving":{"revision":"${text.revision}"`);
}

describe('sessions', () => {
  const affinity = { routing: { affinity: { enabled: true } } };

  it('stay with their provider and say so; without a key nothing is pinned (B47)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a', 'provider-b'], ...affinity });
    const port = gateway.app.ports.proxy ?? 0;
    const outcomes: unknown[] = [];
    const homes = new Set<unknown>();
    for (let n = 0; n < 20; n++) {
      const { headers } = await ask(port, { headers: { 'x-session-id': 's1' } });
      outcomes.push(headers['x-switchyard-affinity']);
      homes.add(headers['x-switchyard-provider']);
    }
    expect(homes.size).toBe(1);
    expect(outcomes).toEqual(['created', ...Array.from({ length: 19 }, () => 'reused')]);
    expect((await ask(port)).headers['x-switchyard-affinity']).toBe('disabled');
  });

  it.each([
    ['an empty key', '', 'disabled'],
    ['a key of 10 kB', 'k'.repeat(10_000), 'disabled'],
    ['a key outside ASCII', 'clé', 'created'],
  ])('%s is handled the same way every time (B49)', async (_what, key, outcome) => {
    await using gateway = await startGateway({ clusters: ['provider-a'], ...affinity });
    const reply = await ask(gateway.app.ports.proxy ?? 0, {
      headers: { 'x-session-id': Buffer.from(key).toString('latin1') },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['x-switchyard-affinity']).toBe(outcome);
    // What names a session is nobody's business.
    if (key !== '') expect(gateway.app.stdout.join('\n') + gateway.app.stderr.join('\n')).not.toContain(key);
  });

  it('of thirty stay through a reload; only those of a removed provider move (B50)', async () => {
    await using gateway = await startGateway(affinity);
    const port = gateway.app.ports.proxy ?? 0;
    const sessions = Array.from({ length: 30 }, (_, n) => `session-${n}`);
    const homeOf = async (session: string): Promise<unknown> =>
      (await ask(port, { headers: { 'x-session-id': session } })).headers['x-switchyard-provider'];
    const homes = new Map<string, unknown>();
    for (const session of sessions) homes.set(session, await homeOf(session));
    await served(
      gateway,
      overlay(
        ABC.map((name) => candidate(name, { score: 0.5 })),
        { generation: 2 },
      ),
    );
    for (const session of sessions) expect(await homeOf(session)).toBe(homes.get(session));
    await served(gateway, overlay([candidate('provider-a'), candidate('provider-b')], { generation: 3 }));
    for (const session of sessions) {
      const now = await homeOf(session);
      if (homes.get(session) === 'provider-c') expect(now).not.toBe('provider-c');
      else expect(now).toBe(homes.get(session));
    }
  });

  it('and open streams of a provider that is withdrawn end in their own time; nothing new comes (B80, B136)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a', 'provider-b'], ...affinity });
    const port = gateway.app.ports.proxy ?? 0;
    gateway.upstream('provider-a').setMode('pace:100');
    const stream = await open(port, STREAM);
    await stream.next();
    await served(gateway, overlay([candidate('provider-b')], { generation: 2 }));
    for (let n = 0; n < 5; n++) expect((await ask(port)).headers['x-switchyard-provider']).toBe('provider-b');
    expect(String(await stream.rest())).toContain('data: [DONE]');
  });
});

describe('providers that fail', () => {
  const quick = {
    routing: { viability: { consecutiveFailures: 3, ejectionMs: 700, maxEjectionMs: 2_000 } },
  };

  it('alone in its group is passed over after a few requests, and the lower group answers at once (B34)', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a', 'provider-c'],
      candidates: [candidate('provider-a'), candidate('provider-c', { selection_group: 1 })],
      ...quick,
    });
    const port = gateway.app.ports.proxy ?? 0;
    gateway.upstream('provider-a').setMode('status:503');
    const attempts: unknown[] = [];
    for (let n = 0; n < 6; n++) attempts.push((await ask(port)).headers['x-switchyard-attempts']);
    expect(attempts).toEqual(['2', '2', '2', '1', '1', '1']);
    gateway.upstream('provider-a').setMode('ok');
    const provider = async (): Promise<unknown> => (await ask(port)).headers['x-switchyard-provider'];
    await expect.poll(provider, { timeout: 15_000, interval: 100 }).toBe('provider-a');
  });

  it('second and third in one request are counted like the first (B38)', async () => {
    await using gateway = await startGateway({
      candidates: [
        candidate('provider-a'),
        candidate('provider-b'),
        candidate('provider-c', { selection_group: 1 }),
      ],
      ...quick,
    });
    const port = gateway.app.ports.proxy ?? 0;
    gateway.upstream('provider-a').setMode('status:503');
    gateway.upstream('provider-b').setMode('status:503');
    for (let n = 0; n < 3; n++) expect((await ask(port)).headers['x-switchyard-attempts']).toBe('3');
    expect((await ask(port)).headers).toMatchObject({
      'x-switchyard-provider': 'provider-c',
      'x-switchyard-attempts': '1',
    });
  });

  it('all of them: the gateway makes no outage of its own, and the first success ends it (B40)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a', 'provider-b'], ...quick });
    const port = gateway.app.ports.proxy ?? 0;
    gateway.upstream('provider-a').setMode('status:503');
    gateway.upstream('provider-b').setMode('status:503');
    for (let n = 0; n < 8; n++) expect((await ask(port)).status).toBe(503);
    gateway.upstream('provider-a').setMode('ok');
    gateway.upstream('provider-b').setMode('ok');
    const status = async (): Promise<number> => (await ask(port)).status;
    await expect.poll(status, { timeout: 15_000, interval: 100 }).toBe(200);
    const page = await ask(gateway.app.ports.admin ?? 0, { method: 'GET', path: '/admin/routes' });
    expect(page.text).toContain('"health"');
  });

  it('with 429 and one second are used again after one second, not after a long outage (B37)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'], ...quick });
    const port = gateway.app.ports.proxy ?? 0;
    gateway.upstream('provider-a').next('status:429:1', 'status:429:1', 'status:429:1');
    const status = async (): Promise<number> => (await ask(port)).status;
    await expect.poll(status, { timeout: 10_000, interval: 200 }).toBe(200);
  });

  it('with different Retry-After: the client is told the shortest, in the header (B44, B46)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a', 'provider-b'] });
    gateway.upstream('provider-a').setMode('status:429:7');
    gateway.upstream('provider-b').setMode('status:429:3');
    for (let n = 0; n < 2; n++) {
      const reply = await ask(gateway.app.ports.proxy ?? 0);
      expect(reply.status).toBe(429);
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(3);
      expect(JSON.parse(reply.text)).toHaveProperty('error.message');
    }
  });

  it('and are withdrawn are never called again (B43)', async () => {
    await using gateway = await startGateway();
    const port = gateway.app.ports.proxy ?? 0;
    await ask(port);
    await served(gateway, overlay([candidate('provider-b')], { generation: 2 }));
    const before = received(gateway, ['provider-a', 'provider-c']);
    for (let n = 0; n < 10; n++) await ask(port);
    expect(received(gateway, ['provider-a', 'provider-c'])).toEqual(before);
  });

  it('for a while all excluded: 503 with Retry-After, and back without a restart (B137)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const port = gateway.app.ports.proxy ?? 0;
    await served(
      gateway,
      overlay([candidate('provider-a', { admission_state: 'excluded' })], { generation: 2 }),
    );
    const refused = await ask(port);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await served(gateway, overlay([candidate('provider-a')], { generation: 3 }));
    expect((await ask(port)).status).toBe(200);
  });
});
