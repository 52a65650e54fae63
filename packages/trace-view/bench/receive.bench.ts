import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { bench, describe } from 'vitest';
import { type OtlpEncoding, TraceStore } from '../src/index.ts';
import { decodeJson } from '../src/otlp/json/decode-json.ts';
import { decodeProtobuf } from '../src/otlp/protobuf/decode-protobuf.ts';
import { startBackEnd } from '../test/support/back-end.ts';
import { exportSpans } from '../test/support/official-exporters.ts';

/** What a batch span processor sends at once. */
const SPANS = 512;

/** The bytes that the official exporter sends for {@link SPANS} spans of a gateway. */
async function officialBytes(encoding: OtlpEncoding): Promise<Buffer> {
  const memory = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'gateway', 'service.instance.id': 'gateway-1' }),
    spanProcessors: [new SimpleSpanProcessor(memory)],
  });
  const tracer = provider.getTracer('bench');
  for (let n = 0; n < SPANS; n++) {
    const span = tracer.startSpan('POST /v1/chat/completions');
    span.setAttributes({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'routing.policy': 'round_robin',
      'routing.group': 0,
      'selected.provider': 'provider-a',
      'overlay.revision.serving': 'a'.repeat(64),
    });
    span.end();
  }
  const backEnd = await startBackEnd();
  await exportSpans(encoding, memory.getFinishedSpans(), { url: backEnd.url });
  backEnd.close();
  return Buffer.concat(backEnd.received.map(({ body }) => body));
}

const protobuf = await officialBytes('protobuf');
const json = await officialBytes('json');

describe(`${SPANS} spans of the official exporter`, () => {
  bench(`decode protobuf (${protobuf.length} bytes)`, () => {
    decodeProtobuf(protobuf, 250_000);
  });
  bench(`decode JSON (${json.length} bytes)`, () => {
    decodeJson(json, 250_000);
  });
  const { spans } = decodeProtobuf(protobuf, 250_000);
  bench('store', () => {
    new TraceStore().add(spans);
  });
});
