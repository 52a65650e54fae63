import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { createRouter } from '@switchyard/ai-route';
import {
  ClusterRegistry,
  createLogger,
  disabledTelemetry,
  type LineWriter,
  MetricRegistry,
  systemClock,
  type Telemetry,
} from '@switchyard/gateway-kit';
import { ByteBudget } from '@switchyard/proxy-core-http';
import { startFaultUpstream } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import type { ClusterConfig } from '../../src/config/clusters.ts';
import { matchRoute } from '../../src/listener/routes.ts';
import { handleRequest } from '../../src/pipeline/handle-request.ts';
import type { Pipeline } from '../../src/pipeline/pipeline.ts';
import { AccessLog } from '../../src/telemetry/access-log/access-log.ts';
import { GatewayMetrics } from '../../src/telemetry/metrics.ts';
import { Tracing } from '../../src/telemetry/tracing.ts';
import { ask } from '../support/client.ts';

const path = '/v1/chat/completions';

/** Telemetry of somebody else that breaks while the headers of an attempt are written; it counts its open spans. */
function brokenTelemetry(): { telemetry: Telemetry; open: () => number } {
  const tracer = trace.getTracer('none');
  let open = 0;
  const telemetry: Telemetry = {
    enabled: true,
    genAi: 'default',
    clientAttributes: disabledTelemetry().clientAttributes,
    tracer: {
      startSpan: (...start) => {
        open++;
        const span = tracer.startSpan(...start);
        // Spans that nobody records are not ended either.
        span.isRecording = () => true;
        span.end = () => void open--;
        return span;
      },
    },
    extract: () => ROOT_CONTEXT,
    inject: () => {
      throw new Error('planted');
    },
    flush: async () => {},
    shutdown: async () => {},
  };
  return { telemetry, open: () => open };
}

it('a defect inside an attempt is one 500, and leaves no lease, span, count, held byte or binding behind', async () => {
  await using upstream = await startFaultUpstream({ name: 'provider-a' });
  const cluster: ClusterConfig = {
    name: 'provider-a',
    policy: 'round_robin',
    endpoints: [{ url: upstream.origin, weight: 1 }],
    providerHop: false,
    credentials: 'strip',
  };
  const clusters = new ClusterRegistry({ clusters: [cluster], connectMs: 1000, resolvePath: (file) => file });
  const metrics = new GatewayMetrics(new MetricRegistry({ app: 'test', version: '1', runtime: false }), {
    clusters: ['provider-a'],
    routes: [path],
  });
  const candidate = {
    kind: 'inference_model',
    name: 'demo-model',
    site: 's',
    cluster: 'provider-a',
  } as const;
  const router = await createRouter({
    candidates: [candidate],
    localSite: 's',
    affinity: { enabled: true },
  });
  const { telemetry, open } = brokenTelemetry();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const writer: LineWriter = {
    write: (line) => void lines.push(line),
    writeJson: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    flush: () => {},
  };
  const logged: string[] = [];
  const budget = new ByteBudget(1000);
  const pipeline: Pipeline = {
    router,
    clusters,
    tracing: new Tracing(telemetry),
    metrics,
    lines: writer,
    accessLog: new AccessLog(writer),
    log: createLogger({ name: 'test', destination: { write: (text) => void logged.push(text) } }),
    clock: systemClock,
    newRequestId: () => 'request-1',
    settings: {
      read: {
        bodyBytesMax: 1000,
        budget,
        pseudonym: 'switchyard-test',
        modelHeader: false,
        session: { header: 'x-session-id', cookie: 'session' },
      },
      replayBodyBytes: 1000,
      firstByteMs: 0,
      unstreamedFirstByteMs: 0,
      idleMs: 0,
      totalMs: 0,
      responseHeaders: true,
      sessionCookie: undefined,
    },
  };
  const matched = matchRoute(path);
  if (matched === undefined) throw new Error('no route');
  const server = createServer(
    (incoming, outgoing) => void handleRequest(pipeline, { ...matched, incoming, outgoing }, 1),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reply = await ask((server.address() as AddressInfo).port, { headers: { 'x-session-id': 'one' } });
  server.close().closeAllConnections();

  expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([500, 'gateway_error']);
  expect(reply.text).not.toContain('planted');
  expect(clusters.get('provider-a')?.cluster.snapshot()).toMatchObject([
    { activeRequests: 0, outcomes: { success: 0, failure: 0, canceled: 1 } },
  ]);
  expect(open()).toBe(0);
  expect(budget.free).toBe(1000);
  expect(lines).toMatchObject([
    { status: 500, outcome: 'gateway_error', tried: [{ provider: 'provider-a', result: 'local_error' }] },
  ]);
  const { text } = await metrics.registry.expose();
  expect(text).toContain('switchyard_inflight_attempts{provider="provider-a"} 0');
  expect(text).toContain(`switchyard_inflight_requests{route="${path}"} 0`);
  expect(logged.join('')).toContain('planted');
  const next = router.explain({ kind: 'inference_model', name: 'demo-model', sessionKey: 'one' });
  expect(next).toMatchObject({ decision: { affinity: 'created' } });
  await clusters.destroy();
  await router.close();
});
