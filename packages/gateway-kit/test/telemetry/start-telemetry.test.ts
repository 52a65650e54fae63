import { runNodeToExit, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { configFile, fixtureArguments, startFixture } from '../support/fixture-app.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const CONFIG = 'listen: { port: 0 }\n';

interface Probe {
  readonly enabled: boolean;
  readonly recording: boolean;
  readonly loaded: string[];
  readonly globals: string[];
  readonly headers: string[];
}

async function probe(env: Readonly<Record<string, string>>): Promise<Probe & { stderr: string }> {
  const { code, stdout, stderr } = await runNodeToExit(fixtureArguments('telemetry-modules.ts', []), { env });
  expect(code, stderr).toBe(0);
  return { ...(JSON.parse(stdout) as Probe), stderr };
}

/** Runs the fixture app under `env`, sends it one request, stops it. Everything must have arrived by then. */
async function oneRequest(
  receiver: OtlpReceiver,
  env: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>[]> {
  await using file = await configFile(CONFIG);
  await using app = await startFixture(file.path, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env });
  await (await fetch(`http://127.0.0.1:${app.port}/`, { headers })).text();
  app.process.kill('SIGTERM');
  expect(await app.process.exited).toEqual({ code: 0, signal: null });
  return app.process.stderr.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe.concurrent('off', { timeout: 60_000 }, () => {
  it.each<Record<string, string>>([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
  ])('loads no SDK module, makes no spans, registers nothing, touches no header: %j', async (env) => {
    const { enabled, recording, loaded, globals, headers } = await probe(env);
    expect({ enabled, recording, loaded, globals }).toEqual({
      enabled: false,
      recording: false,
      loaded: ['api'],
      globals: [],
    });
    expect(headers).toEqual(['traceparent', 'left alone when off']);
  });

  it('the same probe sees the SDK when on, and no global beyond the diagnostics logger', async () => {
    const { enabled, recording, loaded, globals } = await probe({ OTEL_TRACES_EXPORTER: 'console' });
    expect({ enabled, recording }).toEqual({ enabled: true, recording: true });
    expect(loaded).toContain('sdk-trace-node');
    expect(loaded).not.toContain('exporter-trace-otlp-proto');
    expect(globals).toEqual(['version', 'diag']);
  });
});

describe.concurrent('on', { timeout: 60_000 }, () => {
  it('continues the trace of the caller, and flushes when the app stops', async () => {
    await using receiver = await startOtlpReceiver();
    await oneRequest(
      receiver,
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b' },
      { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1' },
    );
    expect(receiver.spans()).toMatchObject([
      { name: 'hello', traceId: TRACE, parentSpanId: SPAN, traceState: 'vendor=1' },
    ]);
    expect(receiver.exports[0]).toMatchObject({ url: '/v1/traces', contentType: 'application/json' });
    expect(receiver.exports[0]?.headers['x-team']).toBe('a b');
    expect(receiver.resource()).toMatchObject({
      'service.name': 'fixture-app',
      'service.instance.id': 'fixture-1',
      'telemetry.sdk.name': 'opentelemetry',
    });
  });

  it('lets the operator name service and resource', async () => {
    await using receiver = await startOtlpReceiver();
    await oneRequest(receiver, {
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'mine',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=lost,service.instance.id=i7,team=x%2Cy',
    });
    expect(receiver.resource()).toMatchObject({
      'service.name': 'mine',
      'service.instance.id': 'i7',
      team: 'x,y',
    });
  });

  it('starts a new trace for a broken traceparent', async () => {
    await using receiver = await startOtlpReceiver();
    await oneRequest(
      receiver,
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      { traceparent: `00-${TRACE.toUpperCase()}-${SPAN}-01`, tracestate: 'vendor=1' },
    );
    const [span] = receiver.spans();
    expect(span?.traceId).not.toBe(TRACE);
    expect(span?.parentSpanId ?? '').toBe('');
    expect(span?.traceState ?? '').toBe('');
  });

  it('speaks protobuf by default; grpc is warned of and falls back to it', async () => {
    await using receiver = await startOtlpReceiver();
    const lines = await oneRequest(receiver, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(receiver.exports).toHaveLength(1);
    expect(receiver.exports[0]).toMatchObject({ url: '/v1/traces', contentType: 'application/x-protobuf' });
    expect(receiver.exports[0]?.body.includes('fixture-app')).toBe(true);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'OTEL_EXPORTER_OTLP_PROTOCOL: grpc is not supported; using http/protobuf (its usual port is 4318, not 4317)',
      }),
    );
  });

  it('uses a traces endpoint as it is', async () => {
    await using receiver = await startOtlpReceiver();
    await oneRequest(receiver, {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/my/path`,
    });
    expect(receiver.exports.map(({ url }) => url)).toEqual(['/my/path']);
  });

  it('obeys the sampler: an unsampled caller yields no span', async () => {
    await using receiver = await startOtlpReceiver();
    await oneRequest(receiver, {}, { traceparent: `00-${TRACE}-${SPAN}-00` });
    expect(receiver.exports).toEqual([]);
    await oneRequest(
      receiver,
      { OTEL_TRACES_SAMPLER: 'always_on', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      { traceparent: `00-${TRACE}-${SPAN}-00` },
    );
    expect(receiver.spans()).toMatchObject([{ traceId: TRACE }]);
  });

  it('obeys OTEL_BSP_*: spans leave before the app stops', async () => {
    await using receiver = await startOtlpReceiver();
    await using file = await configFile(CONFIG);
    await using app = await startFixture(file.path, {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    await (await fetch(`http://127.0.0.1:${app.port}/`)).text();
    await waitUntil(() => receiver.exports.length > 0);
    expect(receiver.spans()).toHaveLength(1);
  });

  it('ends in time although the collector is gone, and says that spans may be lost', async () => {
    const { stderr } = await probe({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(stderr).toContain('spans may be lost');
  });

  it('console: one JSON line per span on stderr, never on stdout', async () => {
    const { stderr } = await probe({ OTEL_TRACES_EXPORTER: 'console' });
    const [line] = stderr.split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      event: 'span',
      name: 'probe',
      resource: { 'service.name': 'probe' },
    });
  });
});
