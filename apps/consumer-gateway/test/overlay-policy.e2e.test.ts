import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, getJson } from './support/client.ts';
import { type GatewayOptions, startGateway, type TestGateway } from './support/gateway.ts';
import { candidatesOfSize } from './support/large-overlay.ts';
import { candidate, overlay } from './support/overlay.ts';
import { logged, metric, overlayPage, readyz, refused, serving } from './support/overlay-page.ts';

function start(reload: object, options: GatewayOptions = {}): Promise<TestGateway> {
  const routing = { reload: { debounceMs: 10, pollMs: 50, ...reload }, ...options.routing };
  return startGateway({ clusters: ['provider-a'], ...options, routing });
}

describe('onMissing: wait', () => {
  it.each([
    ['absent', null, 'missing'],
    ['bad', '{"half":', 'malformed_json'],
  ])(
    'with the file %s: alive, not ready, 503 with Retry-After, until the first overlay',
    async (_what, initialText, code) => {
      await using gateway = await start({ onMissing: 'wait' }, { initialText });
      const [proxy, admin] = [gateway.app.port('proxy'), gateway.app.port('admin')];
      expect((await getJson(admin, '/livez')).status).toBe(200);
      const { status, json } = await readyz(gateway);
      expect([status, json.ready, json.degraded]).toEqual([503, false, false]);
      expect(json.reasons).toMatchObject([expect.stringMatching(/^no_overlay: no valid overlay yet: /)]);

      for (const [path, method] of [
        ['/v1/chat/completions', 'POST'],
        ['/v1/models', 'GET'],
        ['/v1/models/demo-model', 'GET'],
      ] as const) {
        const reply = await ask(proxy, { path, method });
        expect([path, reply.status, reply.headers['retry-after']]).toEqual([path, 503, '5']);
        expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'not_ready', type: 'server_error' } });
      }
      const anthropic = await ask(proxy, { path: '/v1/messages' });
      expect([anthropic.status, anthropic.headers['retry-after']]).toEqual([503, '5']);
      expect(JSON.parse(anthropic.text)).toMatchObject({
        type: 'error',
        error: { type: 'overloaded_error' },
      });
      expect((await getJson(admin, '/admin/explain?model=demo-model')).status).toBe(503);
      expect(await overlayPage(gateway)).toMatchObject({
        accepted: null,
        serving: null,
        lastRejected: { code },
        health: { state: 'not_ready' },
      });
      expect(await metric(gateway, 'switchyard_overlay_ready')).toBe(0);
      expect(await metric(gateway, 'switchyard_overlay_age_seconds')).toBeUndefined();

      const first = overlay([candidate('provider-a')]);
      await gateway.publish(first.text);
      await serving(gateway, first.revision);
      expect((await ask(proxy)).status).toBe(200);
      expect(await readyz(gateway)).toEqual({
        status: 200,
        json: { ready: true, degraded: false, reasons: [] },
      });
      expect(await metric(gateway, 'switchyard_overlay_ready')).toBe(1);
    },
  );

  it('stops while it waits', async () => {
    await using gateway = await start({ onMissing: 'wait' }, { initialText: null });
    expect(await gateway.app.stop()).toBe(0);
  });
});

describe('an overlay older than maxAgeSeconds', () => {
  it.each([
    [undefined, 200],
    ['unready', 503],
  ])('with onExpired %s: /readyz says %d and why, and requests are served', async (onExpired, status) => {
    await using gateway = await start({ maxAgeSeconds: 3600, ...(onExpired && { onExpired }) });
    const answer = await readyz(gateway);
    expect([answer.status, answer.json.degraded]).toEqual([status, status === 200]);
    expect(answer.json.reasons).toMatchObject([expect.stringMatching(/^expired: .*3600 s/)]);
    expect((await ask(gateway.app.port('proxy'))).status).toBe(200);
    expect(await metric(gateway, 'switchyard_overlay_age_seconds')).toBeGreaterThan(3600);
    await waitUntil(() => logged(gateway, 'overlay_expired').length === 1);
  });
});

describe('rollback: refuse', () => {
  it('keeps the newer generation, and says so everywhere', async () => {
    await using gateway = await start({ rollback: 'refuse' }, { generation: 7 });
    const older = overlay([candidate('provider-a', { rank: 1 })], { generation: 6 });
    await gateway.publish(older.text);
    expect(await refused(gateway, 'rollback_refused')).toMatchObject({
      serving: { revision: gateway.revision },
      source: { generation: 7 },
      lastRejected: { revision: older.revision },
    });
    expect((await readyz(gateway)).json.degraded).toBe(true);
    expect(await metric(gateway, 'switchyard_overlay_rejections_total{code="rollback_refused"}')).toBe(1);
    expect(await metric(gateway, 'switchyard_overlay_reloads_total{outcome="rollback"}')).toBe(0);
  });
});

describe('overlayLimits', () => {
  it('let in what is up to them, through the worker process when it is large', async () => {
    const overlayLimits = { bytes: 16_777_216, candidates: 3000 };
    await using gateway = await start({}, { routing: { reload: { debounceMs: 10 }, overlayLimits } });
    const large = candidatesOfSize(3000);
    await gateway.publish(large.text);
    const page = await serving(gateway, large.revision);
    expect(page.serving?.candidateCount).toBe(3000);
    const body = JSON.stringify({ model: 'model-999' });
    await waitUntil(async () => (await ask(gateway.app.port('proxy'), { body })).status === 200);
    expect(logged(gateway, 'overlay_worker_failed')).toEqual([]);

    await gateway.publish(candidatesOfSize(3001).text);
    await refused(gateway, 'too_many_candidates');
    expect((await overlayPage(gateway)).serving?.revision).toBe(large.revision);
  });
});
