import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { describe, expect, it } from 'vitest';
import { ClientAttributes } from '../../src/telemetry/client-attributes.ts';
import { ClientSpan } from '../../src/telemetry/client-span.ts';
import { disabledTelemetry } from '../../src/telemetry/start-telemetry.ts';
import type { Telemetry } from '../../src/telemetry/telemetry.ts';

function attributesOf(origin: string, attributes: Record<string, string>): unknown {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const telemetry: Telemetry = {
    enabled: true,
    genAi: 'default',
    tracer: provider.getTracer('test'),
    clientAttributes: new ClientAttributes('default'),
    extract: () => ROOT_CONTEXT,
    inject: () => undefined,
    flush: async () => undefined,
    shutdown: async () => undefined,
  };
  const span = new ClientSpan(telemetry, {
    name: 'POST',
    method: 'POST',
    route: '/v1/models',
    origin: new URL(origin),
    attributes: () => [attributes],
    parent: ROOT_CONTEXT,
  });
  span.end({ kind: 'completed', status: 200, responseBytes: 0 });
  return exporter.getFinishedSpans()[0]?.attributes;
}

describe('ClientSpan', () => {
  it('server.address is a bare address, also of IPv6; the default port is told', () => {
    expect(attributesOf('http://[::1]:8101', {})).toMatchObject({
      'server.address': '::1',
      'server.port': 8101,
    });
    expect(attributesOf('https://example.com', {})).toMatchObject({
      'server.address': 'example.com',
      'server.port': 443,
    });
  });

  it('url.full is the endpoint and the route, without what a client made up', () => {
    expect(attributesOf('http://h:81', { mine: 'x' })).toMatchObject({
      'http.request.method': 'POST',
      'url.full': 'http://h:81/v1/models',
      mine: 'x',
    });
  });

  it('below a SERVER span that is not sampled there is none: no attribute is asked for, and its context goes on', () => {
    const server = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 0 };
    const sent: unknown[] = [];
    const telemetry: Telemetry = {
      ...disabledTelemetry(),
      enabled: true,
      inject: (context) => sent.push(trace.getSpanContext(context)),
    };
    const span = new ClientSpan(telemetry, {
      name: 'POST',
      method: 'POST',
      route: '/',
      origin: new URL('http://h'),
      parent: trace.setSpanContext(ROOT_CONTEXT, server),
      attributes: () => expect.unreachable('built for nobody'),
    });
    span.inject([]);
    span.end({ kind: 'completed', status: 200, responseBytes: 0 }, () =>
      expect.unreachable('built for nobody'),
    );
    expect(sent).toEqual([server]);
  });
});
