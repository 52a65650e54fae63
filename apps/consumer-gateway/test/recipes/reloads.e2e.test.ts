import { readdir, rm } from 'node:fs/promises';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, getJson, STREAM } from '../support/client.ts';
import { ABC, open, received } from '../support/exchange.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { candidate, overlay } from '../support/overlay.ts';
import { metric, overlayPage, publishAndServe, readyz, refused } from '../support/overlay-page.ts';
import { startHeldStreams } from '../support/own-provider.ts';

const QUICK = { reload: { debounceMs: 0, pollMs: 50 } };

/** Publishes these members as another generation and waits until they serve. */
async function publish(
  gateway: TestGateway,
  generation: number,
  members: Parameters<typeof overlay>[0],
): Promise<void> {
  await publishAndServe(gateway, overlay(members, { generation }));
}

/** What the process has open: sockets, files, watches. */
async function descriptors(gateway: TestGateway): Promise<number> {
  return (await readdir(`/proc/${gateway.app.pid}/fd`)).length;
}

async function seriesNames(gateway: TestGateway): Promise<string[]> {
  const { text } = await ask(gateway.app.port('admin'), { method: 'GET', path: '/metrics' });
  const lines = text.split('\n').filter((line) => line.startsWith('switchyard_'));
  return lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
}

describe('providers that are swapped by fifty reloads', () => {
  it('are not called after they went, and leave nothing open behind them (B43)', async () => {
    await using gateway = await startGateway({ routing: QUICK });
    const port = gateway.app.port('proxy');
    for (let n = 0; n < 3; n++) await ask(port);
    const before = await descriptors(gateway);
    for (let n = 0; n < 50; n++) {
      // One of the three is gone each time; the next one returns in its place.
      const gone = `provider-${'abc'[n % 3]}`;
      const members = ABC.filter((name) => name !== gone).map((name) => candidate(name, { rank: n + 1 }));
      await publish(gateway, n + 2, members);
      const calls = received(gateway, [gone]);
      for (let k = 0; k < 2; k++) expect((await ask(port)).status).toBe(200);
      expect(received(gateway, [gone])).toEqual(calls);
    }
    // A few more or less: admin connections come and go.
    await waitUntil(async () => (await descriptors(gateway)) <= before + 4, {
      what: `no more than ${before + 4} descriptors`,
    });
  });
});

describe('series of metrics', () => {
  it('do not pile up over 200 overlays that each name new stable ids and sites (B128)', async () => {
    await using gateway = await startGateway({ routing: QUICK });
    const port = gateway.app.port('proxy');
    const generation = (n: number): Parameters<typeof overlay>[0] =>
      ABC.map((name) => candidate(name, { stable_id: `id-${n}-${name}`, site: `site-${n}` }));
    await publish(gateway, 2, generation(2));
    for (let n = 0; n < 3; n++) await ask(port);
    gateway.upstream('provider-a').setMode('status:503');
    for (let n = 0; n < 3; n++) await ask(port);
    gateway.upstream('provider-a').setMode('ok');
    const before = await seriesNames(gateway);
    for (let n = 3; n < 203; n++) {
      await publish(gateway, n, generation(n));
      await ask(port);
    }
    expect(await seriesNames(gateway)).toEqual(before);
    expect(before.join('\n')).not.toContain('id-2-');
  });

  it('are not made by host names or tenant headers of clients (B127)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const port = gateway.app.port('proxy');
    await ask(port);
    const before = await seriesNames(gateway);
    for (let n = 0; n < 100; n++)
      await ask(port, {
        headers: { host: `tenant-${n}.example`, 'x-tenant-id': `t-${n}`, 'user-agent': `u-${n}` },
      });
    expect(await seriesNames(gateway)).toEqual(before);
  });
});

describe('an overlay file that is deleted while its gateway serves', () => {
  it('fails no request; the gateway stays ready, and shows that what it serves is unconfirmed (B134)', async () => {
    await using gateway = await startGateway({ routing: QUICK });
    const port = gateway.app.port('proxy');
    const confirmed = async (): Promise<number> =>
      (await metric(gateway, 'switchyard_overlay_last_success_timestamp_seconds')) ?? 0;
    await rm(gateway.overlayFile);
    await refused(gateway, 'missing');
    const last = await confirmed();
    const age = (await overlayPage(gateway)).serving?.ageSeconds ?? 0;
    for (let n = 0; n < 30; n++) expect((await ask(port)).status).toBe(200);
    expect(received(gateway, ABC)).toEqual([10, 10, 10]);
    // It goes on looking, and goes on not finding it.
    const page = await waitUntil(async () => {
      const now = await overlayPage(gateway);
      return (now.serving?.ageSeconds ?? 0) > age && now;
    });
    expect(page).toMatchObject({
      serving: { revision: gateway.revision },
      health: { state: 'degraded' },
      lastRejected: { code: 'missing' },
    });
    expect(await readyz(gateway)).toMatchObject({ status: 200, json: { ready: true, degraded: true } });
    expect(await metric(gateway, 'switchyard_overlay_degraded')).toBe(1);
    expect(await confirmed()).toBe(last);
  });
});

describe('a provider that is drained, then excluded, under its open streams', () => {
  it('keeps the streams to their end, and its sessions while it drains; nothing new comes (B136)', async () => {
    await using held = await startHeldStreams();
    await using gateway = await startGateway({
      clusters: ['provider-a', 'provider-b'],
      clusterOf: (name) => (name === 'provider-a' ? { endpoints: held.endpoints } : {}),
      routing: QUICK,
    });
    const port = gateway.app.port('proxy');
    const home = async (session: string): Promise<unknown> => {
      const stream = await open(port, STREAM, { headers: { 'x-session-id': session } });
      stream.leave();
      return stream.headers['x-switchyard-provider'];
    };
    const state = (admission: 'existing_only' | 'excluded', generation: number): Promise<void> =>
      publish(gateway, generation, [
        candidate('provider-b'),
        candidate('provider-a', { admission_state: admission, selection_group: 1 }),
      ]);
    const stream = await open(port, STREAM, { headers: { 'x-session-id': 'old' } });
    expect(stream.headers['x-switchyard-provider']).toBe('provider-a');

    await state('existing_only', 2);
    expect(await home('old')).toBe('provider-a');
    for (const fresh of ['n1', 'n2', 'n3']) expect(await home(fresh)).toBe('provider-b');

    await state('excluded', 3);
    const { calls } = held;
    expect(await home('old')).toBe('provider-b');
    for (const fresh of ['n4', 'n5']) expect(await home(fresh)).toBe('provider-b');
    expect(held.calls).toBe(calls);
    // It was open all the time.
    expect(held.open).toBeGreaterThanOrEqual(1);
    held.release();
    expect(
      String(await stream.rest())
        .trimEnd()
        .endsWith('data: [DONE]'),
    ).toBe(true);
  });
});

describe('/admin/explain', () => {
  it('takes no turn, whatever is published meanwhile: turns stay exact', async () => {
    await using gateway = await startGateway({ routing: QUICK });
    const [port, admin] = [gateway.app.port('proxy'), gateway.app.port('admin')];
    const explain = async (): Promise<string | undefined> =>
      (
        await getJson<{ decision?: { candidate: { cluster: string } } }>(
          admin,
          '/admin/explain?model=demo-model',
        )
      ).json.decision?.candidate.cluster;
    const served: unknown[] = [];
    for (let n = 0; n < 18; n++) {
      const told = await explain();
      if (n % 3 === 1)
        await publish(
          gateway,
          n + 2,
          ABC.map((name) => candidate(name, { rank: n })),
        );
      // Asked any number of times, before and after a reload, it names the one whose turn it is.
      for (let k = 0; k < n % 4; k++) expect(await explain()).toBe(told);
      served.push((await ask(port)).headers['x-switchyard-provider']);
      expect(served.at(-1)).toBe(told);
    }
    expect(served).toEqual(Array.from({ length: 6 }, () => ABC).flat());
  });
});
