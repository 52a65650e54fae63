import { randomBytes } from 'node:crypto';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, getJson, type Reply } from './support/client.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { candidate } from './support/overlay.ts';

const lower = [candidate('provider-a'), candidate('provider-b', { selection_group: 1 })];

interface Routes {
  routes: { groups: { members: { cluster: string; viable: boolean; health: { state: string } }[] }[] }[];
}

async function stateOf(gateway: TestGateway, cluster: string): Promise<string | undefined> {
  const { json } = await getJson<Routes>(gateway.app.port('admin'), '/admin/routes');
  const members = json.routes.flatMap(({ groups }) => groups.flatMap((group) => group.members));
  return members.find((member) => member.cluster === cluster)?.health.state;
}

const metrics = async (gateway: TestGateway): Promise<string> => {
  const reply = await fetch(`http://127.0.0.1:${gateway.app.port('admin')}/metrics`);
  return reply.text();
};

describe('a provider that keeps failing', () => {
  it('is passed over after a few requests, shown everywhere, and comes back by a probe', async () => {
    await using gateway = await startGateway({
      candidates: lower,
      routing: { viability: { consecutiveFailures: 2, ejectionMs: 1000, maxEjectionMs: 1000 } },
    });
    const port = gateway.app.port('proxy');
    gateway.upstream('provider-a').setMode('status:503');
    for (let i = 0; i < 2; i++)
      expect((await ask(port)).headers).toMatchObject({ 'x-switchyard-attempts': '2' });
    const { requests } = gateway.upstream('provider-a');
    expect(await metrics(gateway)).toContain(
      'switchyard_ejections_total{provider="provider-a",result="status_503"} 1',
    );
    expect(requests).toHaveLength(2);
    gateway.upstream('provider-a').setMode('ok');
    const back = await waitUntil(
      async () => {
        const reply = await ask(port);
        expect(reply.status).toBe(200);
        return reply.headers['x-switchyard-provider'] === 'provider-a' ? reply : undefined;
      },
      { timeoutMs: 30_000 },
    );
    expect(back.headers).toMatchObject({ 'x-switchyard-attempts': '1', 'x-switchyard-group': '0' });
    expect(await stateOf(gateway, 'provider-a')).toBe('well');
    const text = await metrics(gateway);
    expect(text).toContain('switchyard_recoveries_total{provider="provider-a"} 1');
    expect(text).toContain('switchyard_ejected_candidates 0');
    expect(gateway.app.stderr.join('\n')).toContain('gets no requests for a while');
  });

  it('that asks for time by Retry-After is left alone, in milliseconds, seconds or as a date (B37)', async () => {
    await using gateway = await startGateway({ candidates: lower });
    gateway.upstream('provider-a').next('status:429:60');
    expect((await ask(gateway.app.port('proxy'))).headers['x-switchyard-provider']).toBe('provider-b');
    expect(await stateOf(gateway, 'provider-a')).toBe('ejected');
    expect((await ask(gateway.app.port('proxy'))).headers).toMatchObject({
      'x-switchyard-provider': 'provider-b',
      'x-switchyard-attempts': '1',
    });
  });

  it('never is the last one: alone, it is asked every time', async () => {
    await using gateway = await startGateway({
      candidates: [candidate('provider-a')],
      routing: { viability: { consecutiveFailures: 1 } },
    });
    gateway.upstream('provider-a').setMode('status:503:9');
    for (let i = 0; i < 4; i++)
      expect((await ask(gateway.app.port('proxy'))).headers).toMatchObject({ 'retry-after': '9' });
    expect(gateway.upstream('provider-a').requests).toHaveLength(4);
    expect(await metrics(gateway)).toContain(
      'switchyard_retries_refused_total{reason="no_viable_candidate"} 4',
    );
  });
});

describe('the gateway’s own 503 after all candidates (B46)', () => {
  it('has the smallest Retry-After that any of them sent', async () => {
    const drained = { endpoints: [{ url: 'http://127.0.0.1:9', weight: 0 }] };
    await using gateway = await startGateway({
      policy: 'deterministic',
      clusterOf: (name) => (name === 'provider-c' ? drained : {}),
    });
    gateway.upstream('provider-a').setMode('status:503:7');
    gateway.upstream('provider-b').setMode('status:429:30');
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'no_viable_provider' } });
    expect(reply.headers).toMatchObject({ 'retry-after': '7', 'x-switchyard-attempts': '3' });
  });
});

describe('sessions in a signed cookie', () => {
  it('survive a restart, are set once, and the cookie never reaches a provider', async () => {
    await using gateway = await startGateway({
      files: { keys: `# one key\n${randomBytes(32).toString('base64')}\n` },
      routing: { affinity: { mode: 'cookie', keyFile: './keys', cookie: 'sticky', ttlSeconds: 600 } },
      cluster: { credentials: 'passthrough' },
    });
    const send = (cookie: string): Promise<Reply> =>
      // The header that would name a session otherwise is nothing here: anybody can choose it.
      ask(gateway.app.port('proxy'), { headers: { cookie, 'x-session-id': 'chosen' } });
    const first = await send('theme=dark');
    const [set = ''] = first.headers['set-cookie'] ?? [];
    expect(set).toMatch(/^sticky=1\.[\w-]+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(first.headers['x-switchyard-affinity']).toBe('created');
    const cookie = `theme=dark; ${set.split(';')[0]}`;
    const served = first.headers['x-switchyard-provider'];
    for (let i = 0; i < 3; i++) {
      if (i === 1) await gateway.restart();
      const again = await send(cookie);
      expect(again.headers).toMatchObject({
        'x-switchyard-provider': served,
        'x-switchyard-affinity': 'reused',
      });
      expect(again.headers['set-cookie']).toBeUndefined();
    }
    const forged = await send(
      cookie.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')).replace('sticky=1.', 'sticky=1.x'),
    );
    expect(forged.headers['x-switchyard-affinity']).toBe('created');
    const received = gateway.upstream(String(served)).requests.map((request) => request.header('cookie'));
    expect(new Set(received)).toEqual(new Set(['theme=dark']));
  });

  it('need their keys at start: without them the gateway says why and does not start', async () => {
    await expect(
      startGateway({ routing: { affinity: { mode: 'cookie', keyFile: './missing' } } }),
    ).rejects.toThrow(/routing\.affinity\.keyFile: cannot be read/);
  });
});
