import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, STREAM } from './support/client.ts';
import { accessLines, startGateway, type TestGateway } from './support/gateway.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const SERVER = 2;
const CLIENT = 3;
const INTERNAL = 1;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly endTimeUnixNano: string;
  readonly startTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

function attributes(span: Span | undefined): Record<string, unknown> {
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));
}

describe('with telemetry off', () => {
  it('passes the client’s trace headers through untouched and logs its trace id', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const headers = { traceparent: PARENT, tracestate: 'vendor=1', baggage: 'k=v' };
    await ask(gateway.app.port('proxy'), { headers });
    const received = gateway.upstream('provider-a').requests[0];
    expect(Object.fromEntries(Object.keys(headers).map((name) => [name, received?.header(name)]))).toEqual(
      headers,
    );
    expect((await waitUntil(() => accessLines(gateway)[0]))['traceId']).toBe(TRACE);
  });
});

describe('with telemetry on', () => {
  const spans: Span[] = [];
  let receiver: Server;
  let gateway: TestGateway;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const sent = JSON.parse(Buffer.concat(chunks).toString()) as Export;
        for (const { scopeSpans } of sent.resourceSpans)
          for (const scope of scopeSpans) spans.push(...scope.spans);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    gateway = await startGateway({
      clusters: ['provider-a', 'provider-b'],
      policy: 'deterministic',
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    receiver.closeAllConnections();
    receiver.close();
  });

  it('a request has a server span, a selection and one client span per attempt, in the client’s trace', async () => {
    gateway.upstream('provider-a').next('status:503');
    await ask(gateway.app.port('proxy'), {
      headers: { traceparent: PARENT, authorization: 'Bearer secret', 'x-session-id': 'secret-session' },
    });
    await waitUntil(() => spans.length >= 4);
    const server = spans.find((span) => span.kind === SERVER);
    const select = spans.find((span) => span.kind === INTERNAL);
    const [first, second] = spans
      .filter((span) => span.kind === CLIENT)
      .sort((a, b) => Number(attributes(a)['routing.attempt']) - Number(attributes(b)['routing.attempt']));

    expect(spans).toHaveLength(4);
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([TRACE]));
    expect(server).toMatchObject({ name: 'POST /v1/chat/completions', parentSpanId: 'b7ad6b7169203331' });
    expect(select?.name).toBe('routing.select');
    for (const child of [select, first, second]) expect(child?.parentSpanId).toBe(server?.spanId);
    expect(attributes(server)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
    });
    expect(attributes(select)).toMatchObject({
      'routing.policy': 'deterministic',
      'routing.group': 0,
      'routing.kind': 'inference_model',
      'routing.admission_state': 'new_and_existing',
      'routing.affinity': 'created',
      'routing.attempt': 1,
      'routing.fallthrough': false,
      'routing.reason': 'first_in_order',
      'selected.provider': 'provider-a',
      'selected.site': 'site-a',
      'selected.cluster': 'provider-a',
      'overlay.revision.accepted': gateway.revision,
      'overlay.revision.serving': gateway.revision,
    });
    expect(attributes(first)).toMatchObject({
      'selected.provider': 'provider-a',
      'http.response.status_code': 503,
      'error.type': '503',
    });
    expect(attributes(second)).toMatchObject({
      'selected.provider': 'provider-b',
      'http.response.status_code': 200,
      'http.request.resend_count': 1,
      'server.address': '127.0.0.1',
      'server.port': gateway.upstream('provider-b').port,
    });
    expect(gateway.upstream('provider-b').requests[0]?.header('traceparent')).toBe(
      `00-${TRACE}-${second?.spanId}-01`,
    );
    expect(JSON.stringify(spans)).not.toMatch(/secret/);
    // These clusters are no provider gateways: the hop that calls the model is this one, and only its CLIENT spans say so.
    for (const span of [server, select]) expect(JSON.stringify(span)).not.toContain('gen_ai');
    for (const span of [first, second])
      expect(attributes(span)).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'demo-model',
        'gen_ai.system': 'openai',
      });
  });

  it('a server span ends with the last byte of a stream', async () => {
    spans.length = 0;
    gateway.upstream('provider-a').next('pace:40');
    await ask(gateway.app.port('proxy'), { body: STREAM });
    const server = await waitUntil(() => spans.find((span) => span.kind === SERVER));
    const lasted = Number(BigInt(server.endTimeUnixNano) - BigInt(server.startTimeUnixNano)) / 1e6;
    expect(lasted).toBeGreaterThan(200);
  });

  it('an unknown model is no error of the server, and has no client span', async () => {
    await waitUntil(() => spans.filter((span) => span.kind === SERVER).length === 1);
    spans.length = 0;
    await ask(gateway.app.port('proxy'), { body: '{"model":"nope"}' });
    const server = await waitUntil(() => spans.find((span) => span.kind === SERVER));
    await waitUntil(() => spans.length === 2);
    expect(attributes(server)).toMatchObject({ 'http.response.status_code': 404 });
    expect(server.status?.code ?? 0).toBe(0);
    expect(spans.some((span) => span.kind === CLIENT)).toBe(false);
  });
});
