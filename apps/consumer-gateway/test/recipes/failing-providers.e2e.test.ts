import { readFile } from 'node:fs/promises';
import { startApp, tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, getJson } from '../support/client.ts';
import { received } from '../support/exchange.ts';
import { startGateway } from '../support/gateway.ts';
import { candidate, overlay } from '../support/overlay.ts';
import { publishAndServe } from '../support/overlay-page.ts';

interface RoutesPage {
  readonly routes: readonly {
    readonly groups: readonly {
      readonly members: readonly {
        readonly health: { readonly state: string; readonly returnsInMs: number | null };
      }[];
    }[];
  }[];
}

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

  it.each([
    [7, 3],
    [3, 7],
  ])(
    'with Retry-After %i, then %i: the client is told the shorter one, in the header (B44, B46)',
    async (a, b) => {
      await using gateway = await startGateway({
        clusters: ['provider-a', 'provider-b'],
        policy: 'deterministic',
      });
      gateway.upstream('provider-a').setMode(`status:429:${a}`);
      gateway.upstream('provider-b').setMode(`status:429:${b}`);
      const reply = await ask(gateway.app.ports.proxy ?? 0);
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '3']);
      // The last one's own words, byte for byte.
      expect(JSON.parse(reply.text)).toMatchObject({ error: { message: 'provider-b answers 429' } });
      expect(received(gateway, ['provider-a', 'provider-b'])).toEqual([1, 1]);
    },
  );

  it('with Retry-After as a date are left alone until then, give or take the clock (B44, S4)', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a', 'provider-c'],
      candidates: [candidate('provider-a'), candidate('provider-c', { selection_group: 1 })],
    });
    const port = gateway.app.ports.proxy ?? 0;
    const until = new Date(Date.now() + 50_000).toUTCString();
    gateway.upstream('provider-a').next(`status:429:${until}`);
    for (const attempts of ['2', '1', '1'])
      expect((await ask(port)).headers).toMatchObject({
        'x-switchyard-provider': 'provider-c',
        'x-switchyard-attempts': attempts,
      });
    const { json } = await getJson<RoutesPage>(gateway.app.port('admin'), '/admin/routes');
    const { health } = json.routes[0]?.groups[0]?.members[0] ?? {};
    expect(health?.state).toBe('ejected');
    // A date has whole seconds, and some time is over: between the two it must lie, and NaN lies nowhere.
    expect(health?.returnsInMs).toBeGreaterThan(0);
    expect(health?.returnsInMs).toBeLessThanOrEqual(50_000);
  });

  it('by their clients’ fault, ten times, are as well as before (S9)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a', 'provider-b'], ...quick });
    const port = gateway.app.ports.proxy ?? 0;
    gateway.upstream('provider-a').setMode('status:400');
    for (let n = 0; n < 20; n++) await ask(port);
    expect(received(gateway, ['provider-a', 'provider-b'])).toEqual([10, 10]);
    const { json } = await getJson<RoutesPage>(gateway.app.port('admin'), '/admin/routes');
    const states = json.routes[0]?.groups[0]?.members.map(({ health }) => health.state);
    expect(states).toEqual(['well', 'well']);
  });

  it('are found out by each gateway for itself, after as many attempts as configured (B41)', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a', 'provider-c'],
      candidates: [candidate('provider-a'), candidate('provider-c', { selection_group: 1 })],
      routing: { viability: { consecutiveFailures: 3, ejectionMs: 300_000 } },
    });
    await using dir = await tempDir();
    const base = JSON.parse(await readFile(gateway.app.configFile, 'utf8')) as { routing: object };
    const config = { ...base, routing: { ...base.routing, overlayFile: gateway.overlayFile } };
    await using other = await startApp({ app: 'consumer-gateway', config, configDir: dir.path });
    gateway.upstream('provider-a').setMode('status:503');
    for (let n = 0; n < 40; n++)
      for (const app of [gateway.app, other]) expect((await ask(app.port('proxy'))).status).toBe(200);
    expect(received(gateway, ['provider-a', 'provider-c'])).toEqual([3 * 2, 80]);
  });

  it('for a while all excluded: 503 with Retry-After, and back without a restart (B137)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const port = gateway.app.ports.proxy ?? 0;
    await publishAndServe(
      gateway,
      overlay([candidate('provider-a', { admission_state: 'excluded' })], { generation: 2 }),
    );
    const refused = await ask(port);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await publishAndServe(gateway, overlay([candidate('provider-a')], { generation: 3 }));
    expect((await ask(port)).status).toBe(200);
  });
});
