import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AppProcess,
  type FaultUpstream,
  startApp,
  startFaultUpstream,
  waitUntil,
} from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY, CHAT, config, HOP } from './helpers.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string } }[];
}

describe('tracing', () => {
  let backend: FaultUpstream;
  let receiver: Server;
  let gateway: AppProcess;
  const spans: Span[] = [];

  beforeAll(async () => {
    backend = await startFaultUpstream();
    receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      request.on('end', () => {
        const { resourceSpans } = JSON.parse(text) as {
          resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
        };
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    gateway = await startApp({
      app: 'provider-gateway',
      config: config(backend),
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await backend.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  it('SERVER is the child of the caller, CLIENT of SERVER, and the backend is told the CLIENT span', async () => {
    await fetch(`http://127.0.0.1:${gateway.port('proxy')}${CHAT}`, {
      method: 'POST',
      headers: { ...HOP, traceparent: `00-${TRACE}-${PARENT}-01` },
      body: BODY,
    });
    await waitUntil(() => spans.length >= 2);
    const server = spans.find(({ kind }) => kind === 2);
    const client = spans.find(({ kind }) => kind === 3);
    expect(server).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: `POST ${CHAT}` });
    expect(client).toMatchObject({ traceId: TRACE, parentSpanId: server?.spanId, name: 'chat demo-model' });
    const keys = (span?: Span): string[] => (span?.attributes ?? []).map(({ key }) => key);
    expect(keys(client)).toContain('gen_ai.request.model');
    expect(keys(server).filter((key) => key.startsWith('gen_ai.'))).toEqual([]);
    expect(backend.requests[0]?.header('traceparent')).toBe(`00-${TRACE}-${client?.spanId}-01`);
  });

  it('another method than POST is named as it was', async () => {
    const before = spans.length;
    const headers = { ...HOP, traceparent: `00-${TRACE}-${PARENT}-01` };
    await fetch(`http://127.0.0.1:${gateway.port('proxy')}/mcp`, { method: 'DELETE', headers });
    await waitUntil(() => spans.length >= before + 2);
    const methods = spans
      .slice(before)
      .map(
        ({ attributes }) => attributes.find(({ key }) => key === 'http.request.method')?.value.stringValue,
      );
    expect(methods).toEqual(['DELETE', 'DELETE']);
    expect(spans.slice(before).find(({ kind }) => kind === 2)?.name).toBe('DELETE /mcp');
  });
});
