import { rm } from 'node:fs/promises';
import { waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, CHAT, getJson, STREAM } from './support/client.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { candidate, overlay } from './support/overlay.ts';

interface OverlayPage {
  readonly accepted: { readonly revision: string; readonly at: string };
  readonly serving: { readonly revision: string; readonly candidateCount: number };
  readonly lastRejected: {
    readonly code: string;
    readonly issues: readonly { readonly code: string }[];
  } | null;
  readonly counters: Record<string, number>;
  readonly source: { readonly path: string; readonly generation: number };
  readonly unknownClusters: readonly string[];
}

interface Explanation {
  readonly outcome: string;
  readonly decision: { readonly candidate: { readonly cluster: string }; readonly affinity: string };
  readonly candidates: readonly { readonly cluster: string; readonly verdict: string }[];
}

const candidates = [
  candidate('provider-a'),
  candidate('provider-b'),
  candidate('provider-c', { selection_group: 1 }),
  candidate('provider-a', { name: 'org/model:v1' }),
  candidate('provider-q', { name: 'org/elsewhere' }),
  candidate('provider-a', { kind: 'mcp_tool', name: 'search' }),
];

let gateway: TestGateway;
let proxy: number;
let admin: number;

beforeAll(async () => {
  gateway = await startGateway({ candidates, routing: { reload: { debounceMs: 20, pollMs: 200 } } });
  proxy = gateway.app.port('proxy');
  admin = gateway.app.port('admin');
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('/v1/models', () => {
  it('lists what a new request would be served for', async () => {
    const { status, json } = await getJson<{ object: string; data: { id: string; object: string }[] }>(
      proxy,
      '/v1/models',
    );
    expect(status).toBe(200);
    expect(json.object).toBe('list');
    expect(json.data.map((model) => [model.id, model.object])).toEqual([
      ['demo-model', 'model'],
      ['org/model:v1', 'model'],
    ]);
  });

  it.each(['org/model:v1', 'org%2Fmodel%3Av1'])('finds %s', async (id) => {
    const { status, json } = await getJson(proxy, `/v1/models/${id}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: 'org/model:v1', object: 'model', owned_by: 'switchyard' });
    expect(Number.isInteger(json['created'])).toBe(true);
  });

  it('answers 404 for one it does not have', async () => {
    const { status, json } = await getJson(proxy, '/v1/models/demo-modle');
    expect(status).toBe(404);
    expect(json).toMatchObject({
      error: { code: 'model_not_found', message: expect.stringContaining('"demo-model"') as string },
    });
  });
});

describe('the admin port', () => {
  it('is live and ready', async () => {
    expect((await getJson(admin, '/livez')).status).toBe(200);
    expect(await getJson(admin, '/readyz')).toEqual({
      status: 200,
      json: { ready: true, degraded: false, reasons: [] },
    });
  });

  it('shows the overlay that serves, and names the clusters this gateway lacks', async () => {
    const { json } = await getJson<OverlayPage>(admin, '/admin/overlay');
    expect(json).toMatchObject({
      mode: 'overlay',
      accepted: { revision: gateway.revision },
      serving: { revision: gateway.revision, candidateCount: 6 },
      lastRejected: null,
      source: { path: gateway.overlayFile, generation: 1, watch: 'events+poll' },
      unknownClusters: ['provider-q'],
    });
    const warning = gateway.app.stderr.find((line) => line.includes('overlay_unknown_clusters'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ level: 'warn', clusters: ['provider-q'] });
  });

  it('explains without taking a turn, and never shows the session', async () => {
    const next = async (): Promise<unknown> =>
      (await getJson<Explanation>(admin, '/admin/explain?model=demo-model')).json.decision.candidate.cluster;
    const first = await next();
    expect([await next(), await next()]).toEqual([first, first]);
    expect((await ask(proxy)).headers['x-switchyard-provider']).toBe(first);
    expect(await next()).not.toBe(first);

    const reply = await ask(admin, {
      method: 'GET',
      path: '/admin/explain?model=demo-model&session=secret-key',
    });
    expect(reply.text).not.toContain('secret-key');
    const { outcome, decision, candidates: shown } = JSON.parse(reply.text) as Explanation;
    expect([outcome, decision.affinity]).toEqual(['decided', 'created']);
    expect(shown.map((member) => [member.cluster, member.verdict])).toContainEqual([
      'provider-c',
      'lower_group',
    ]);
  });

  it('explains a tool', async () => {
    const { status, json } = await getJson<Explanation>(admin, '/admin/explain?tool=search');
    expect([status, json.outcome, json.decision.candidate.cluster]).toEqual([200, 'decided', 'provider-a']);
  });

  const wrong: [what: string, query: string, status: number, code: string][] = [
    ['no model', '', 400, 'missing_model'],
    ['an empty session', '?model=demo-model&session=', 400, 'invalid_session'],
    ['an overlong session', `?model=demo-model&session=${'k'.repeat(257)}`, 400, 'invalid_session'],
    ['an unknown model', '?model=demo-modle', 404, 'model_not_found'],
    ['an unknown tool', '?tool=serch', 404, 'tool_not_found'],
    ['a model and a tool', '?model=demo-model&tool=search', 400, 'invalid_parameter'],
    ['two models', '?model=demo-model&model=x', 400, 'invalid_parameter'],
    ['a parameter that would be ignored', '?model=demo-model&sesion=k', 400, 'invalid_parameter'],
  ];
  it.each(wrong)('explain with %s is refused', async (_what, query, status, code) => {
    const reply = await getJson(admin, `/admin/explain${query}`);
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject({ error: { code } });
  });

  it('shows groups, members and turns', async () => {
    const { json } = await getJson<{
      routes: { name: string; groups: { members: unknown[]; active: boolean }[] }[];
    }>(admin, '/admin/routes');
    const route = json.routes.find((view) => view.name === 'demo-model');
    expect(route?.groups.map((group) => [group.members.length, group.active])).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  it.each([
    ['?model=demo-model', ['demo-model']],
    ['?model=demo-model&kind=inference_model', ['demo-model']],
    ['?model=demo-model&kind=mcp_tool', []],
    ['?model=demo-modle', []],
  ])('lists the routes that %s asks for', async (query, names) => {
    const { json } = await getJson<{ servingRevision: string; routes: { name: string }[] }>(
      admin,
      `/admin/routes${query}`,
    );
    expect(json.servingRevision).toMatch(/^[0-9a-f]{64}$/);
    expect(json.routes.map(({ name }) => name)).toEqual(names);
  });

  it('says that a limited list goes on', async () => {
    const { json } = await getJson<{ routes: unknown[]; more?: true }>(admin, '/admin/routes');
    expect(json.more).toBeUndefined();
    expect(json.routes.length).toBeGreaterThan(1);
    const limited = await getJson(admin, '/admin/routes?limit=1');
    expect(limited.json).toMatchObject({ routes: [{}], more: true });
    const whole = await getJson(admin, `/admin/routes?limit=${json.routes.length}`);
    expect(whole.json).toEqual(json);
  });

  it.each([
    ['kind', 'invalid_kind', ['model', '']],
    ['limit', 'invalid_limit', ['0', '-1', '1.5', 'all', '']],
  ])('refuses a %s that is none', async (name, code, values) => {
    for (const value of values) {
      const reply = await getJson(admin, `/admin/routes?${name}=${value}`);
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject({ error: { code, param: name } });
    }
  });

  it('counts requests by provider, and clients cannot make series', async () => {
    await ask(proxy, { body: CHAT.replace('demo-model', 'made-up-by-a-client') });
    const { text } = await ask(admin, { method: 'GET', path: '/metrics' });
    expect(text).toMatch(
      /switchyard_requests_total\{route="\/v1\/chat\/completions",model="demo-model",provider="provider-c",outcome="success"\} 0/,
    );
    expect(text).toMatch(/model="demo-model",provider="provider-[ab]",outcome="success"\} [1-9]/);
    expect(text).toMatch(/model="other",provider="none",outcome="client_error"\} [1-9]/);
    expect(text).toContain('switchyard_inflight_requests{route="/v1/chat/completions"} 0');
    expect(text).toMatch(/switchyard_time_to_first_byte_seconds_count\{[^}]*provider="provider-a"\} [1-9]/);
    expect(text).not.toContain('made-up');
    expect(text).not.toContain(gateway.revision);
  });

  it('counts a request as in flight until its last byte', async () => {
    const upstream = gateway.upstream('provider-a');
    upstream.setMode('stall:1');
    const busy = ask(proxy, { body: STREAM.replace('demo-model', 'org/model:v1') }).catch(() => undefined);
    await waitUntil(async () => {
      const { text } = await ask(admin, { method: 'GET', path: '/metrics' });
      return text.includes('switchyard_inflight_attempts{provider="provider-a"} 1');
    });
    await upstream.close();
    await busy;
    await waitUntil(async () => {
      const { text } = await ask(admin, { method: 'GET', path: '/metrics' });
      return text.includes('switchyard_inflight_attempts{provider="provider-a"} 0');
    });
  });
});

describe('a changed overlay file', () => {
  const page = async (): Promise<OverlayPage> => (await getJson<OverlayPage>(admin, '/admin/overlay')).json;

  it('is served without a restart, and a bad or missing one leaves the last good one', async () => {
    const next = overlay([candidate('provider-b'), candidate('provider-b', { name: 'new-model' })], {
      generation: 2,
    });
    const publishedAt = Date.now();
    await gateway.publish(next.text);
    await waitUntil(async () => (await page()).serving.revision === next.revision);
    expect((await ask(proxy, { body: '{"model":"new-model"}' })).status).toBe(200);
    expect((await ask(proxy, { body: '{"model":"org/model:v1"}' })).status).toBe(404);

    await gateway.publish(next.text.replaceAll('site-b', 'site-x'));
    const rejected = await waitUntil(async () => (await page()).lastRejected);
    expect(rejected).toMatchObject({ code: 'digest_mismatch', issues: [{ code: 'digest_mismatch' }] });
    expect((await page()).serving.revision).toBe(next.revision);
    expect((await ask(proxy)).status).toBe(200);

    await rm(gateway.overlayFile);
    await waitUntil(async () => (await page()).lastRejected?.code === 'missing');
    expect((await ask(proxy)).status).toBe(200);
    expect((await getJson(admin, '/readyz')).status).toBe(200);

    await gateway.publish(next.text);
    await waitUntil(async () => (await page()).lastRejected === null);
    const { text } = await ask(admin, { method: 'GET', path: '/metrics' });
    expect(text).toMatch(/switchyard_overlay_reloads_total\{outcome="rejected"\} [1-9]/);
    expect(text).toMatch(/switchyard_overlay_rejections_total\{code="digest_mismatch"\} [1-9]/);
    const acceptedAt = /^switchyard_overlay_last_accepted_timestamp_seconds (\S+)/m.exec(text)?.[1];
    expect(Number(acceptedAt) * 1000).toBeGreaterThanOrEqual(publishedAt);
    expect(text).not.toContain(next.revision);
    expect(text).toContain('model="new-model",provider="provider-b",outcome="success"} 1');
    expect(text).not.toContain(gateway.revision);
    const logged = gateway.app.stderr.filter((line) => line.includes('overlay_rejected'));
    expect(logged.join('\n')).toContain('digest_mismatch');
  });
});
