import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createSilentServer } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { runNodeToExit, tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { OTEL_VARIABLES } from '../../src/telemetry/environment.ts';
import { readTelemetrySettings } from '../../src/telemetry/settings.ts';
import { fixtureArguments } from '../support/fixture-app.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';

type Env = Readonly<Record<string, string>>;

const JSON_PROTOCOL = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };

/** Runs the fixture under `env`; returns its log. */
async function run(env: Env, spans = 1): Promise<string> {
  const { code, stderr } = await runNodeToExit(fixtureArguments('telemetry-run.ts', [String(spans)]), {
    env,
  });
  expect(code, stderr).toBe(0);
  return stderr;
}

/** The same in front of a collector. */
async function exported(env: Env, spans = 1): Promise<OtlpReceiver & { log: string }> {
  const receiver = await startOtlpReceiver();
  const log = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...JSON_PROTOCOL, ...env }, spans);
  return { ...receiver, log };
}

function warnings(env: Env): readonly string[] {
  return readTelemetrySettings(env).warnings;
}

/** Attribute names and values of the first span that arrived. */
function attributes(receiver: OtlpReceiver): Record<string, string> {
  const [span] = receiver.spans() as unknown as {
    attributes: { key: string; value: { stringValue: string } }[];
  }[];
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]));
}

/** What shows that each variable does what the reference says. Several share a run: a process costs a second. */
const PROOFS: Readonly<Record<string, () => void | Promise<void>>> = {
  OTEL_SDK_DISABLED: () => {
    expect(
      readTelemetrySettings({ OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }).exporters,
    ).toEqual([]);
  },
  OTEL_TRACES_EXPORTER: () => {
    expect(warnings({ OTEL_TRACES_EXPORTER: 'jaeger,otlp' })).toEqual([
      'OTEL_TRACES_EXPORTER: found "jaeger", expected otlp, console or none; ignored',
    ]);
  },
  OTEL_PROPAGATORS: () => {
    const settings = readTelemetrySettings({
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_PROPAGATORS: 'b3,tracecontext',
    });
    expect(settings.propagators).toEqual(['tracecontext']);
    expect(settings.warnings).toHaveLength(1);
  },
  'OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES OTEL_EXPORTER_OTLP_COMPRESSION OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_ENDPOINT':
    async () => {
      await using receiver = await exported({
        OTEL_SERVICE_NAME: 'mine',
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=lost,mine=operator',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
      });
      const [first] = receiver.exports;
      expect(first).toMatchObject({
        url: '/v1/traces',
        headers: { 'content-encoding': 'gzip', 'x-team': 'a b' },
      });
      const text = gunzipSync(first?.body ?? Buffer.alloc(0)).toString();
      expect(text).toContain('{"key":"service.name","value":{"stringValue":"mine"}}');
      expect(text).toContain('{"key":"mine","value":{"stringValue":"operator"}}');
    },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: async () => {
    await using receiver = await startOtlpReceiver();
    const url = `${receiver.url}/my/path`;
    await run({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url });
    expect(receiver.exports.map((one) => [one.url, one.contentType])).toEqual([
      ['/my/path', 'application/x-protobuf'],
    ]);
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: () => {
    const read = (value: string): ReturnType<typeof readTelemetrySettings> =>
      readTelemetrySettings({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: value });
    expect(read('http/json')).toMatchObject({ protocol: 'http/json', warnings: [] });
    expect(read('grpc').protocol).toBe('http/protobuf');
    expect(read('grpc').warnings).toHaveLength(1);
  },
  'OTEL_TRACES_SAMPLER OTEL_TRACES_SAMPLER_ARG OTEL_BSP_MAX_EXPORT_BATCH_SIZE OTEL_BSP_MAX_QUEUE_SIZE':
    async () => {
      await using receiver = await exported(
        {
          OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
          OTEL_TRACES_SAMPLER_ARG: '0.25',
          OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '64',
          OTEL_BSP_MAX_QUEUE_SIZE: '10000',
        },
        2000,
      );
      // Binomial, n = 2000, p = 1/4: ten standard deviations either way.
      expect(receiver.spans().length).toBeGreaterThan(300);
      expect(receiver.spans().length).toBeLessThan(700);
      expect(receiver.exports.length).toBe(Math.ceil(receiver.spans().length / 64));
    },
  'OTEL_BSP_MAX_QUEUE_SIZE (full)': async () => {
    await using receiver = await exported(
      { OTEL_BSP_MAX_QUEUE_SIZE: '50', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10' },
      500,
    );
    expect(receiver.spans().length).toBeLessThan(500);
    // In protobuf the queue is our own, and says what it dropped.
    const log = await run(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_MAX_QUEUE_SIZE: '50',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      },
      500,
    );
    expect(log).toMatch(/traces: dropped 4\d\d spans: 50 were waiting already/);
  },
  'OTEL_TRACES_SAMPLER (unknown) OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT':
    async () => {
      await using receiver = await exported({
        OTEL_TRACES_SAMPLER: 'sometimes',
        OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '2',
        OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '3',
      });
      expect(receiver.log).toContain('OTEL_TRACES_SAMPLER: found \\"sometimes\\", expected one of always_on');
      expect(attributes(receiver)).toEqual({ first: 'abc', second: 'b' });
    },
  'OTEL_TRACES_SAMPLER_ARG (bad) OTEL_ATTRIBUTE_COUNT_LIMIT OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT': async () => {
    await using receiver = await exported({
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '7',
      OTEL_ATTRIBUTE_COUNT_LIMIT: '1',
      OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '5',
    });
    expect(receiver.log).toContain(
      'OTEL_TRACES_SAMPLER_ARG: found \\"7\\", expected a ratio from 0 to 1; using 1',
    );
    expect(attributes(receiver)).toEqual({ first: 'abcde' });
  },
  'OTEL_BSP_SCHEDULE_DELAY OTEL_BSP_EXPORT_TIMEOUT OTEL_EXPORTER_OTLP_TIMEOUT': async () => {
    // A collector that never answers: without the limits the exit would wait for the three seconds of the shutdown.
    const server = createSilentServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const log = await run({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '1',
      OTEL_BSP_EXPORT_TIMEOUT: '100',
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    server.close();
    expect(log).toContain('spans may be lost');
  },
  'OTEL_EXPORTER_OTLP_CERTIFICATE OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE OTEL_EXPORTER_OTLP_CLIENT_KEY':
    async () => {
      await using collector = await mutualTlsCollector();
      await run({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_CERTIFICATE: collector.certificate,
        OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: collector.certificate,
        OTEL_EXPORTER_OTLP_CLIENT_KEY: collector.key,
      });
      expect(collector.peers).toEqual(['localhost']);
    },
  OTEL_METRICS_EXPORTER: () => {
    expect(warnings({ OTEL_METRICS_EXPORTER: 'prometheus' })).toEqual([]);
    expect(warnings({ OTEL_METRICS_EXPORTER: 'none' })).toEqual([]);
    expect(warnings({ OTEL_METRICS_EXPORTER: 'otlp' })).toHaveLength(1);
  },
  OTEL_EXPORTER_PROMETHEUS_PORT: () => {
    expect(
      warnings({ OTEL_EXPORTER_PROMETHEUS_PORT: '9464', OTEL_EXPORTER_PROMETHEUS_HOST: 'h' }),
    ).toHaveLength(2);
  },
  OTEL_LOGS_EXPORTER: () => {
    expect(warnings({ OTEL_LOGS_EXPORTER: 'otlp' })).toHaveLength(1);
    expect(warnings({ OTEL_LOGS_EXPORTER: 'none' })).toEqual([]);
  },
  OTEL_CONFIG_FILE: () => {
    expect(warnings({ OTEL_CONFIG_FILE: 'otel.yaml' })).toHaveLength(1);
  },
  OTEL_SEMCONV_STABILITY_OPT_IN: () => {
    const read = (value: string): ReturnType<typeof readTelemetrySettings> =>
      readTelemetrySettings({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SEMCONV_STABILITY_OPT_IN: value });
    expect(read('')).toMatchObject({ genAi: 'default', warnings: [] });
    expect(read('http/dup, gen_ai_latest_experimental')).toMatchObject({ genAi: 'latest', warnings: [] });
    expect(read('gen_ai_newest')).toMatchObject({ genAi: 'default' });
    expect(read('gen_ai_newest').warnings).toHaveLength(1);
  },
};

/** A collector that asks for a client certificate and notes whose it was. */
async function mutualTlsCollector(): Promise<
  AsyncDisposable & { url: string; certificate: string; key: string; peers: string[] }
> {
  const dir = await tempDir();
  const [certificate, key] = [join(dir.path, 'cert.pem'), join(dir.path, 'key.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...[
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
  ]);
  expect(made.status, String(made.stderr)).toBe(0);
  const peers: string[] = [];
  const pem = await readFile(certificate);
  const server = createServer(
    { cert: pem, key: await readFile(key), ca: pem, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      peers.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      request.resume().on('end', () => response.end());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    key,
    peers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await dir.remove();
    },
  };
}

describe.concurrent('every OTEL_* variable of the reference', { timeout: 120_000 }, () => {
  it.each(Object.entries(PROOFS))('%s', async (_names, proof) => {
    await proof();
  });

  it('has a proof here', () => {
    const proved = new Set(Object.keys(PROOFS).flatMap((names) => names.split(' ')));
    expect(OTEL_VARIABLES.map(({ name }) => name).filter((name) => !proved.has(name))).toEqual([]);
  });
});
