import { describe, expect, it } from 'vitest';
import { readTelemetrySettings } from '../../src/telemetry/settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('on or off', () => {
  it.each<[string, NodeJS.ProcessEnv, string[]]>([
    ['nothing set', {}, []],
    [
      'everything empty',
      { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: ' ', OTEL_SDK_DISABLED: '' },
      [],
    ],
    ['an endpoint', ENDPOINT, ['otlp']],
    ['a traces endpoint', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://h/v1/traces' }, ['otlp']],
    ['an exporter without endpoint', { OTEL_TRACES_EXPORTER: 'otlp' }, ['otlp']],
    ['console', { OTEL_TRACES_EXPORTER: 'console' }, ['console']],
    ['both', { OTEL_TRACES_EXPORTER: 'otlp, console' }, ['otlp', 'console']],
    ['none, although there is an endpoint', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, []],
    ['disabled, although there is an endpoint', { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }, []],
    ['not disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'false' }, ['otlp']],
    ['only a service name', { OTEL_SERVICE_NAME: 'x' }, []],
  ])('%s', (_name, env, exporters) => {
    expect(readTelemetrySettings(env)).toMatchObject({ exporters, warnings: [] });
  });
});

describe('unknown values are warned of and ignored', () => {
  it.each<[NodeJS.ProcessEnv, object]>([
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, { exporters: [] }],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'zipkin' }, { exporters: ['otlp'] }],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: '1' }, { exporters: ['otlp'] }],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, { protocol: 'http/protobuf' }],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'smoke' }, { protocol: 'http/protobuf' }],
    [{ ...ENDPOINT, OTEL_PROPAGATORS: 'b3,baggage' }, { propagators: ['baggage'] }],
  ])('%j', (env, settings) => {
    const read = readTelemetrySettings(env);
    expect(read).toMatchObject(settings);
    expect(read.warnings).toHaveLength(1);
  });
});

describe('protocol and propagators', () => {
  it('prefers the variable for traces', () => {
    const env = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    };
    expect(readTelemetrySettings(env).protocol).toBe('http/json');
    expect(readTelemetrySettings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }).protocol).toBe(
      'http/json',
    );
    expect(readTelemetrySettings(ENDPOINT).protocol).toBe('http/protobuf');
  });

  it('defaults to both formats; none is none', () => {
    expect(readTelemetrySettings(ENDPOINT).propagators).toEqual(['tracecontext', 'baggage']);
    expect(readTelemetrySettings({ ...ENDPOINT, OTEL_PROPAGATORS: 'none' }).propagators).toEqual([]);
  });
});
