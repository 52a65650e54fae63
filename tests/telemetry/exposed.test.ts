import { spawnSync } from 'node:child_process';
import { waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AllApps, APP_NAMES, type AppName, STREAMED_REQUEST, startAllApps } from './support/all-apps.ts';
import { type Collector, type ReceivedSpan, startCollector } from './support/collector.ts';
import { type Described, describedBy } from './support/described.ts';
import { familyOf, type Scrape, scrape } from './support/scrape.ts';

let collector: Collector;
let system: AllApps;
const described = new Map<AppName, Described>();
const scraped = new Map<AppName, Scrape>();

/** Everything that can go well or wrong in a request, so that every kind of span and series comes up. */
async function traffic(): Promise<void> {
  const consumer = `http://127.0.0.1:${system.apps['consumer-gateway'].port('proxy')}`;
  const chat = `${consumer}/v1/chat/completions`;
  const ask = async (url: string, body: unknown, headers: Record<string, string> = {}): Promise<number> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text };
    const response = await fetch(url, init);
    await response.text();
    return response.status;
  };
  const session = { 'x-session-id': 'session-one' };
  expect(await ask(chat, STREAMED_REQUEST, session)).toBe(200);
  expect(await ask(chat, STREAMED_REQUEST, session)).toBe(200);
  const { stream: _, ...unstreamed } = STREAMED_REQUEST;
  expect(await ask(chat, unstreamed)).toBe(200);
  // Not recorded; nobody listens; no such model; no JSON; not served by the provider.
  expect(await ask(chat, { ...STREAMED_REQUEST, messages: [] })).toBe(404);
  expect(await ask(chat, { ...STREAMED_REQUEST, model: 'dead-model' })).toBe(502);
  expect(await ask(chat, { ...STREAMED_REQUEST, model: 'no-model' })).toBe(404);
  expect(await ask(chat, 'not json')).toBe(400);
  expect(await ask(`${consumer}/v1/embeddings`, { model: 'demo-model', input: 'x' })).toBe(404);
  const provider = `http://127.0.0.1:${system.apps['provider-gateway'].port('proxy')}`;
  expect(await ask(`${provider}/nowhere`, {})).toBe(403);
}

beforeAll(async () => {
  collector = await startCollector();
  system = await startAllApps(collector.env);
  const { apps } = system;
  const ready = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${apps['consumer-gateway'].port('admin')}/readyz`)).status === 200;
  await waitUntil(ready, { timeoutMs: 60_000, what: 'the consumer gateway to have the overlay' });
  await traffic();
  for (const app of APP_NAMES) {
    described.set(app, await describedBy(app));
    scraped.set(app, await scrape(apps[app].port('admin')));
  }
}, 180_000);
afterAll(async () => {
  await system?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
});

describe.each(APP_NAMES)('the metrics of a running %s', (app) => {
  const known = (): Described => described.get(app) ?? expect.fail(`${app} not described`);
  const found = (): Scrape => scraped.get(app) ?? expect.fail(`${app} not scraped`);

  it('are those that it declares, no more and no less', () => {
    const declared = known().metrics.map(({ name, type }) => `${type} ${name}`);
    expect([...found().types].map(([name, type]) => `${type} ${name}`).sort()).toEqual(declared.sort());
  });

  it('have the declared labels, values and bounds', () => {
    const counts = new Map<string, Set<string>>();
    for (const series of found().series) {
      const family = familyOf(found(), series);
      const metric = known().metrics.find(({ name }) => name === family) ?? expect.fail(family);
      const { le, ...labels } = series.labels;
      expect(Object.keys(labels).sort(), family).toEqual(Object.keys(metric.labels).sort());
      for (const [label, value] of Object.entries(labels)) {
        const { values } = metric.labels[label] ?? {};
        if (values !== undefined) expect(values, `${family} ${label}`).toContain(value);
      }
      const combinations = counts.get(family) ?? new Set<string>();
      counts.set(family, combinations.add(JSON.stringify(labels)));
    }
    for (const [family, combinations] of counts) {
      const metric = known().metrics.find(({ name }) => name === family);
      expect(combinations.size, family).toBeLessThanOrEqual(metric?.maxSeries ?? 0);
    }
  });

  it('have folded nothing', () => {
    const folded = found().series.filter(({ name }) => name === 'switchyard_metrics_folded_total');
    expect(folded.filter(({ value }) => value !== 0)).toEqual([]);
  });

  it.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
    'satisfy promtool (skipped where promtool is not installed: Debian has it in "prometheus")',
    () => {
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: found().text });
      expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
    },
  );
});

describe('the spans of a real run', () => {
  const wrong = (span: ReceivedSpan): string[] => {
    const app = described.get(span.service as AppName);
    const kind = app?.spans.find((one) => one.kind === span.kind);
    if (kind === undefined) return [`${span.service} makes no ${span.kind} span`];
    return Object.entries(span.attributes).flatMap(([key, value]) => {
      const about = kind.attributes[key];
      if (about === undefined) return [`${span.service} ${span.kind} ${key} is not declared`];
      const type = about.type === 'int' || about.type === 'double' ? 'number' : about.type;
      if (typeof value !== type) return [`${key}: ${JSON.stringify(value)} is no ${type}`];
      const fits = about.values === undefined || about.values.includes(value as string | boolean);
      return fits ? [] : [`${key}: ${JSON.stringify(value)} is none of its values`];
    });
  };

  it('have declared attributes with declared values, and every declared kind came up', async () => {
    const expected = APP_NAMES.flatMap((app) =>
      (described.get(app)?.spans ?? []).map(({ kind }) => `${app} ${kind}`),
    );
    const seen = (): Set<string> => new Set(collector.spans.map(({ service, kind }) => `${service} ${kind}`));
    await waitUntil(() => expected.every((one) => seen().has(one)), {
      timeoutMs: 30_000,
      what: expected.join(', '),
    });
    expect([...new Set(collector.spans.flatMap(wrong))]).toEqual([]);
    expect([...seen()].sort()).toEqual(expected.sort());
  });

  it('call a model on one hop only', async () => {
    const asked = (trace: string): ReceivedSpan[] =>
      collector.spans.filter(
        (span) =>
          span.traceId === trace && Object.keys(span.attributes).some((key) => key.startsWith('gen_ai.')),
      );
    // The embeddings were refused by the provider gateway: nobody called a model.
    const chats = new Set(
      collector.spans
        .filter((span) => span.kind === 'SERVER' && span.attributes['http.route'] === '/v1/chat/completions')
        .map(({ traceId }) => traceId),
    );
    const routed = collector.spans.filter(
      (span) =>
        span.name === 'routing.select' && 'selected.provider' in span.attributes && chats.has(span.traceId),
    );
    expect(routed.length).toBeGreaterThanOrEqual(5);
    await waitUntil(() => routed.every(({ traceId }) => asked(traceId).length > 0), { timeoutMs: 30_000 });
    for (const { traceId, attributes } of routed) {
      // provider-b is no gateway of ours: the consumer gateway calls the model itself.
      const caller =
        attributes['selected.provider'] === 'provider-a' ? 'provider-gateway' : 'consumer-gateway';
      expect(new Set(asked(traceId).map(({ service }) => service))).toEqual(new Set([caller]));
    }
  });
});

it('exemplars stand in OpenMetrics alone and name traces that arrived', async () => {
  const port = system.apps['consumer-gateway'].port('admin');
  const headers = { accept: 'application/openmetrics-text;version=1.0.0' };
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  expect(response.headers.get('content-type')).toContain('application/openmetrics-text');
  const named = [...(await response.text()).matchAll(/# \{trace_id="([0-9a-f]{32})"\}/g)].map(([, id]) => id);
  expect(named.length).toBeGreaterThan(0);
  const arrived = new Set(collector.spans.map(({ traceId }) => traceId));
  expect(named.filter((id) => id === undefined || !arrived.has(id))).toEqual([]);
  expect(scraped.get('consumer-gateway')?.text).not.toContain('trace_id');
});
