import { describe, expect, it } from 'vitest';
import { ask, STREAM } from '../support/client.ts';
import { ABC, open } from '../support/exchange.ts';
import { startGateway } from '../support/gateway.ts';
import { candidate, overlay } from '../support/overlay.ts';
import { publishAndServe } from '../support/overlay-page.ts';

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

  it('with two keys are those of the first, whatever the second one says (B49)', async () => {
    await using gateway = await startGateway({ ...affinity });
    const homes = new Set<unknown>();
    for (const second of ['x', 'y', 'z', 's1']) {
      const reply = await ask(gateway.app.ports.proxy ?? 0, { headers: { 'x-session-id': ['s1', second] } });
      homes.add(reply.headers['x-switchyard-provider']);
    }
    expect(homes.size).toBe(1);
  });

  it('of others stay where they are while one provider resets every connection (B50, S7)', async () => {
    await using gateway = await startGateway({ ...affinity });
    const port = gateway.app.ports.proxy ?? 0;
    const homeOf = async (session: string): Promise<unknown> =>
      (await ask(port, { headers: { 'x-session-id': session } })).headers['x-switchyard-provider'];
    const homes = new Map<string, unknown>();
    for (let n = 0; n < 30; n++) homes.set(`session-${n}`, await homeOf(`session-${n}`));
    gateway.upstream('provider-b').setMode('reset');
    const now = new Map(
      await Promise.all([...homes.keys()].map(async (session) => [session, await homeOf(session)] as const)),
    );
    for (const [session, home] of homes) {
      if (home === 'provider-b') expect(now.get(session)).toMatch(/^provider-[ac]$/);
      else expect(now.get(session)).toBe(home);
    }
  });

  it('of thirty stay through a reload; only those of a removed provider move (B50)', async () => {
    await using gateway = await startGateway(affinity);
    const port = gateway.app.ports.proxy ?? 0;
    const sessions = Array.from({ length: 30 }, (_, n) => `session-${n}`);
    const homeOf = async (session: string): Promise<unknown> =>
      (await ask(port, { headers: { 'x-session-id': session } })).headers['x-switchyard-provider'];
    const homes = new Map<string, unknown>();
    for (const session of sessions) homes.set(session, await homeOf(session));
    await publishAndServe(
      gateway,
      overlay(
        ABC.map((name) => candidate(name, { score: 0.5 })),
        { generation: 2 },
      ),
    );
    for (const session of sessions) expect(await homeOf(session)).toBe(homes.get(session));
    await publishAndServe(
      gateway,
      overlay([candidate('provider-a'), candidate('provider-b')], { generation: 3 }),
    );
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
    await publishAndServe(gateway, overlay([candidate('provider-b')], { generation: 2 }));
    for (let n = 0; n < 5; n++) expect((await ask(port)).headers['x-switchyard-provider']).toBe('provider-b');
    expect(String(await stream.rest())).toContain('data: [DONE]');
  });
});
