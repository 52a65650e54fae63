import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeKubernetes, startFakeKubernetes, waitUntil } from '@switchyard/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sample } from './support/overlays.ts';
import { RunningSync } from './support/running-sync.ts';

const one = sample();
const two = sample({ clusters: ['provider-c'] });
const three = sample({ clusters: ['provider-d'] });

let kubernetes: FakeKubernetes;
let sync: RunningSync;

const source = (more: object = {}): object => ({
  configMap: { namespace: 'grid-system', name: 'overlay', server: kubernetes.url, ...more },
});

function publish(text: string, key = 'routing-overlay.json'): void {
  const { store } = kubernetes;
  const body = { metadata: { name: 'overlay' }, data: { [key]: text } };
  if (store.list('grid-system').length > 0) store.update('grid-system', 'overlay', body);
  else store.create('grid-system', body);
}

async function watching(): Promise<void> {
  await waitUntil(() => kubernetes.watches.length === 1, { what: 'a watch' });
}

beforeEach(async () => {
  kubernetes = await startFakeKubernetes();
  sync = await RunningSync.create();
});
afterEach(async () => {
  await sync[Symbol.asyncDispose]();
  await kubernetes.close();
});

describe('a ConfigMap as the source', () => {
  it('every change reaches the file; what is bad or missing keeps the last good one', async () => {
    await sync.start(source());
    await sync.is('cold deleted');
    publish(one.text);
    await sync.writes(one.text);
    expect(await sync.is('ready')).toMatchObject({
      source: 'configMap',
      namespace: 'grid-system',
      configMap: 'overlay',
      dataKey: 'routing-overlay.json',
    });
    publish(two.text.replace('provider-c', 'provider-x'));
    await sync.is('ready_degraded digest_mismatch');
    publish(two.text, 'other-key');
    await sync.is('ready_degraded missing_key');
    kubernetes.store.delete('grid-system', 'overlay');
    await sync.is('ready_degraded deleted');
    expect(await sync.text()).toBe(one.text);
    publish(two.text);
    await sync.writes(two.text);
    await sync.is('ready');
  });

  it('the API dropped in the middle of a watch: degraded, and it catches up with what was missed', async () => {
    publish(one.text);
    await sync.start(source());
    await sync.writes(one.text);
    await watching();
    const { port, store } = kubernetes;
    await kubernetes.close();
    await sync.is('ready_degraded api_unavailable');
    expect((await sync.get('/readyz')).status).toBe(200);
    store.update('grid-system', 'overlay', { data: { 'routing-overlay.json': two.text } });
    kubernetes = await startFakeKubernetes({ port, store });
    await sync.writes(two.text);
    await sync.is('ready');
    expect(await sync.metric('watch_reconnects_total{reason="stream_error"}')).toBe(1);
  });

  it('deleted while disconnected: found by the list, and the file stays', async () => {
    publish(one.text);
    await sync.start(source());
    await sync.writes(one.text);
    await watching();
    const { port, store } = kubernetes;
    await kubernetes.close();
    store.delete('grid-system', 'overlay');
    store.compact();
    kubernetes = await startFakeKubernetes({ port, store });
    await sync.is('ready_degraded deleted');
    expect(await sync.text()).toBe(one.text);
  });

  it('410, 429, a cut answer and a hanging one, one after the other, cost nothing but time', async () => {
    publish(one.text);
    await sync.start(source({ requestTimeoutMs: 300 }));
    await sync.writes(one.text);
    await watching();
    kubernetes.fail('list', { status: 429, retryAfterSeconds: 1 });
    kubernetes.fail('list', 'drop');
    kubernetes.fail('list', 'hang');
    kubernetes.fail('watch', { status: 410 });
    kubernetes.fail('watch', 'hang');
    kubernetes.watches[0]?.expire();
    await sync.is('ready_degraded api_unavailable');
    publish(two.text);
    await sync.writes(two.text);
    await waitUntil(async () => (await sync.metric('watch_reconnects_total{reason="expired"}')) === 2);
    await watching();
    publish(three.text);
    await sync.writes(three.text);
    await sync.is('ready');
  });

  it('bookmarks carry it over a compacted history', async () => {
    publish(one.text);
    await sync.start(source(), { backOff: { initialMs: 50, maxMs: 200, resetAfterMs: 0 } });
    await sync.writes(one.text);
    await watching();
    for (let i = 0; i < 10; i++) kubernetes.store.changeElsewhere();
    kubernetes.watches[0]?.bookmark();
    kubernetes.store.compact();
    kubernetes.watches[0]?.end();
    await waitUntil(() => kubernetes.watches[0]?.from === kubernetes.store.version);
    publish(two.text);
    await sync.writes(two.text);
    const lists = kubernetes.requests.filter(({ url }) => !url.includes('watch=1'));
    expect(lists).toHaveLength(1);
  });

  it('a connection that went silent is noticed, said and replaced', async () => {
    publish(one.text);
    await sync.start(source(), { staleAfterMs: 400 });
    await sync.writes(one.text);
    await watching();
    await waitUntil(async () => (await sync.metric('watch_reconnects_total{reason="stale"}')) >= 1);
    expect(await sync.metric('events_total{outcome="error",reason="stale"}')).toBeGreaterThan(0);
    kubernetes.fail('list', 'hang');
    await sync.is('ready_degraded stale');
    expect((await sync.get('/readyz')).status).toBe(200);
  });

  it('the same bytes again, list after list, write nothing', async () => {
    publish(one.text);
    await sync.start(source());
    await sync.writes(one.text);
    const before = await stat(sync.output, { bigint: true });
    for (let count = 1; count <= 3; count++) {
      await watching();
      kubernetes.watches[0]?.expire();
      await waitUntil(
        async () => (await sync.metric('events_total{outcome="unchanged",reason="same_bytes"}')) === count,
      );
    }
    const after = await stat(sync.output, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
    expect(await sync.metric('file_writes_total{outcome="written"}')).toBe(1);
  });

  it('the same revision with new provenance is written', async () => {
    publish(one.text);
    await sync.start(source());
    await sync.writes(one.text);
    const later = sample({ generation: 9 });
    publish(later.text);
    await sync.writes(later.text);
    expect(await sync.status()).toMatchObject({ sourceGeneration: 9, writtenOverlayRevision: one.revision });
    expect(await sync.metric('events_total{outcome="unchanged",reason="same_revision"}')).toBe(1);
  });

  it('a token is read anew when the API no longer takes the old one', async () => {
    await kubernetes.close();
    let valid = 'old';
    const tokenFile = join(sync.dir.path, 'token');
    await writeFile(tokenFile, 'old');
    kubernetes = await startFakeKubernetes({ token: () => valid });
    publish(one.text);
    await sync.start(source({ tokenFile: './token' }));
    await sync.writes(one.text);
    await watching();
    valid = 'new';
    kubernetes.watches[0]?.drop();
    await waitUntil(async () => (await sync.status()).problems[0]?.message.includes('status 401'));
    await writeFile(tokenFile, 'new');
    await sync.is('ready');
    expect(sync.app.stderr.join('\n')).not.toContain('Bearer');
  });
});
