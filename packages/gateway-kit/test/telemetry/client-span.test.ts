import { ROOT_CONTEXT } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { describe, expect, it } from 'vitest';
import { ClientSpan } from '../../src/telemetry/client-span.ts';
import type { Telemetry } from '../../src/telemetry/telemetry.ts';

function attributesOf(origin: string, attributes: Record<string, string>): unknown {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const telemetry: Telemetry = {
    enabled: true,
    genAi: 'default',
    tracer: provider.getTracer('test'),
    extract: () => ROOT_CONTEXT,
    inject: () => undefined,
    flush: async () => undefined,
    shutdown: async () => undefined,
  };
  const span = new ClientSpan(telemetry, {
    name: 'POST',
    origin: new URL(origin),
    attributes: () => attributes,
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

  it('the method is POST unless the caller says another', () => {
    expect(attributesOf('http://h', {})).toMatchObject({ 'http.request.method': 'POST' });
    expect(attributesOf('http://h', { 'http.request.method': 'PUT' })).toMatchObject({
      'http.request.method': 'PUT',
    });
  });
});
