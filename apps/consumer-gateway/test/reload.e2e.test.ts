import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempDir, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, STREAM } from './support/client.ts';
import { type GatewayOptions, startGateway, type TestGateway } from './support/gateway.ts';
import { candidate, overlay } from './support/overlay.ts';
import { logged, metric, overlayPage, readyz, refused, serving } from './support/overlay-page.ts';

const RELOAD = { debounceMs: 10, pollMs: 50 };
const PROVIDERS = ['provider-a', 'provider-b', 'provider-c'];

function start(options: GatewayOptions = {}, reload: object = {}): Promise<TestGateway> {
  return startGateway({ ...options, routing: { reload: { ...RELOAD, ...reload }, ...options.routing } });
}

/** A different overlay for every generation. */
function generation(number: number, members = PROVIDERS): { text: string; revision: string } {
  return overlay(
    members.map((name) => candidate(name, { rank: number })),
    { generation: number },
  );
}

async function provider(gateway: TestGateway): Promise<unknown> {
  const { status, headers } = await ask(gateway.app.port('proxy'));
  return status === 200 ? headers['x-switchyard-provider'] : status;
}

describe('B71: the file is removed and written anew', () => {
  it('three times: seen each time, and the last good one serves in between', async () => {
    await using gateway = await start();
    for (let round = 2; round <= 4; round++) {
      await rm(gateway.overlayFile);
      await refused(gateway, 'missing');
      expect(PROVIDERS).toContain(await provider(gateway));
      const { text, revision } = generation(round);
      await writeFile(gateway.overlayFile, text);
      expect((await serving(gateway, revision)).lastRejected).toBeNull();
    }
  });
});

describe('B73: the file is a link, which is pointed to another directory', () => {
  it('both the change and an edit in place over there are seen', async () => {
    await using gateway = await start();
    await using elsewhere = await tempDir();
    const target = join(elsewhere.path, 'overlay.json');
    const link = `${gateway.overlayFile}.link`;
    const [there, edited] = [generation(2), generation(3)];
    await writeFile(target, there.text);
    await symlink(target, link);
    await rename(link, gateway.overlayFile);
    await serving(gateway, there.revision);
    await writeFile(target, edited.text);
    await serving(gateway, edited.revision);
  });
});

describe('B74: a reload is rejected', () => {
  it('what runs is shown as what runs, what was refused beside it; ready, but degraded; told once', async () => {
    await using gateway = await start();
    const refusedText = generation(2).text;
    await gateway.publish(refusedText.replace('provider-a', 'provider-z'));
    const page = await refused(gateway, 'digest_mismatch');
    expect(page).toMatchObject({
      accepted: { revision: gateway.revision },
      serving: { revision: gateway.revision, from: 'source' },
      lastRejected: { revision: generation(2).revision, issues: [{ code: 'digest_mismatch' }] },
      health: { state: 'degraded', reasons: [{ code: 'source_rejected' }] },
    });
    expect(Date.parse(page.lastRejected?.at ?? '')).toBeGreaterThan(0);
    expect(await readyz(gateway)).toMatchObject({ status: 200, json: { ready: true, degraded: true } });
    expect((await readyz(gateway)).json.reasons[0]).toMatch(/^source_rejected: .*digest/);
    expect(await metric(gateway, 'switchyard_overlay_degraded')).toBe(1);
    expect(await metric(gateway, 'switchyard_overlay_rejections_total{code="digest_mismatch"}')).toBe(1);
    // S2: the bad file stays where it is, stirred again and again, and nothing more is made of it.
    for (let i = 0; i < 5; i++) await writeFile(join(dirname(gateway.overlayFile), 'neighbour'), String(i));
    const good = generation(3);
    await gateway.publish(good.text);
    expect((await serving(gateway, good.revision)).counters).toMatchObject({ accepted: 2, rejected: 1 });
    expect(logged(gateway, 'overlay_rejected')).toHaveLength(1);
    expect(await readyz(gateway)).toEqual({
      status: 200,
      json: { ready: true, degraded: false, reasons: [] },
    });
    expect(await metric(gateway, 'switchyard_overlay_degraded')).toBe(0);
  });
});

describe('B76: v1 good, v2 good, v3 bad, restart', () => {
  it('v2 serves from the copy, and the source is never written', async () => {
    await using gateway = await start({}, { lastGoodFile: './state/last-good.json' });
    const v2 = generation(2);
    await gateway.publish(v2.text);
    await serving(gateway, v2.revision);
    await gateway.publish('{"v3":');
    await refused(gateway, 'malformed_json');
    await gateway.restart();

    expect(await overlayPage(gateway)).toMatchObject({
      serving: { revision: v2.revision, from: 'last_good_file' },
      lastRejected: { code: 'malformed_json' },
      source: { path: gateway.overlayFile, generation: 2 },
    });
    expect(PROVIDERS).toContain(await provider(gateway));
    const { status, json } = await readyz(gateway);
    expect([status, json.ready, json.degraded]).toEqual([200, true, true]);
    expect(json.reasons.join('\n')).toMatch(/source_rejected: [\s\S]*\nlast_good_copy: /);
    expect(await metric(gateway, 'switchyard_overlay_reloads_total{outcome="restored"}')).toBe(1);
    expect(logged(gateway, 'overlay_restored')).toMatchObject([{ level: 'warn', revision: v2.revision }]);
    expect(await readFile(gateway.overlayFile, 'utf8')).toBe('{"v3":');

    const v4 = generation(4);
    await gateway.publish(v4.text);
    expect((await serving(gateway, v4.revision)).health.state).toBe('ready');
  });
});

describe('B77, S1: an overlay whose last part is impossible', () => {
  it('changes nothing, however good its first part', async () => {
    await using gateway = await start();
    const routes = async (): Promise<string> =>
      (await ask(gateway.app.port('admin'), { method: 'GET', path: '/admin/routes' })).text;
    const before = await routes();
    const good = generation(2, ['provider-b', 'provider-c']);
    const last = JSON.stringify({ ...candidate('provider-a'), selection_group: 7 });
    const cut = good.text.lastIndexOf('}', good.text.lastIndexOf(']')) + 1;
    await gateway.publish(`${good.text.slice(0, cut)},${last}${good.text.slice(cut)}`);
    const { lastRejected } = await waitUntil(async () => {
      const page = await overlayPage(gateway);
      return page.lastRejected !== null && page;
    });
    expect(lastRejected?.issues.map(({ code }) => code)).toContain('group_conflict');
    expect(await routes()).toBe(before);
  });

  it('is served when it only names clusters that are not here: those get nothing', async () => {
    await using gateway = await start();
    const { text, revision } = generation(2, ['provider-b', 'provider-nowhere']);
    await gateway.publish(text);
    expect((await serving(gateway, revision)).unknownClusters).toEqual(['provider-nowhere']);
    expect([await provider(gateway), await provider(gateway)]).toEqual(['provider-b', 'provider-b']);
  });
});

describe('B79: the admin page before and after', () => {
  it('names the active revision, where it came from and since when', async () => {
    await using gateway = await start();
    const before = await overlayPage(gateway);
    const next = generation(2);
    await gateway.publish(next.text);
    const after = await serving(gateway, next.revision);
    expect(before.accepted?.revision).toBe(gateway.revision);
    expect(after.accepted?.revision).toBe(next.revision);
    for (const { source, serving: now } of [before, after]) {
      expect(source).toMatchObject({ path: gateway.overlayFile, watch: 'events+poll' });
      expect(now).toMatchObject({ from: 'source', renderedAt: '2026-01-01T00:00:00.000Z' });
      expect(now?.ageSeconds).toBeGreaterThan(0);
    }
    expect(Date.parse(after.accepted?.at ?? '')).toBeGreaterThan(Date.parse(before.accepted?.at ?? ''));
    expect(Date.parse(after.source.confirmedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(after.accepted?.at ?? ''),
    );
    expect(await metric(gateway, 'switchyard_overlay_source_generation')).toBe(2);
  });
});

describe('B80: five reloads under a running stream, one of which removes its provider', () => {
  it('the stream ends as it began, and new requests use the new overlay', async () => {
    await using gateway = await start({ policy: 'deterministic' });
    gateway.upstream('provider-a').setMode('pace:100');
    const stream = ask(gateway.app.port('proxy'), { body: STREAM });
    await waitUntil(() => gateway.upstream('provider-a').requests.length === 1);
    for (let round = 2; round <= 6; round++) {
      const next = generation(round, round === 4 ? ['provider-b', 'provider-c'] : PROVIDERS);
      await gateway.publish(next.text);
      await serving(gateway, next.revision);
      if (round === 4) expect(await provider(gateway)).toMatch(/^provider-[bc]$/);
    }
    const { status, headers, text } = await stream;
    expect([status, headers['x-switchyard-provider']]).toEqual([200, 'provider-a']);
    expect(headers['x-switchyard-revision']).toBe(gateway.revision.slice(0, 12));
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });
});
