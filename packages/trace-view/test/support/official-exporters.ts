import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { OtlpEncoding } from '../../src/index.ts';

/** Spans as the OpenTelemetry SDK makes them, with every kind of field that exporters write. */
export async function makeSpans(traces = 1): Promise<ReadableSpan[]> {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'service.instance.id': 'shop-1', build: 7 }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('made-for-tests', '1.2.3');
  for (let n = 0; n < traces; n++) {
    const root = tracer.startSpan('GET /cart', { kind: SpanKind.SERVER });
    const context = trace.setSpan(ROOT_CONTEXT, root);
    const child = tracer.startSpan('query «ü»', { kind: SpanKind.CLIENT }, context);
    child.setAttributes({
      text: 'a ü 漢 🙂',
      yes: true,
      no: false,
      zero: 0,
      negative: -42,
      big: 2 ** 53 - 1,
      half: 0.5,
      texts: ['a', 'b'],
      numbers: [1, 2.5],
    });
    child.addEvent('retry', { attempt: 2 });
    child.addLink({ context: root.spanContext(), attributes: { why: 'test' } });
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'no answer' });
    child.recordException(new Error('broken'));
    child.end();
    root.end();
  }
  const spans = exporter.getFinishedSpans();
  await provider.shutdown();
  return spans;
}

/** Sends spans with the official exporter; rejects when it says that this failed. */
export async function exportSpans(
  encoding: OtlpEncoding,
  spans: ReadableSpan[],
  options: { url: string; gzip?: boolean },
): Promise<void> {
  const Exporter = encoding === 'json' ? JsonExporter : ProtobufExporter;
  const compression = (options.gzip === true ? 'gzip' : 'none') as never;
  const exporter = new Exporter({ url: options.url, compression, timeoutMillis: 30_000 });
  await new Promise<void>((resolve, reject) =>
    exporter.export(spans, ({ code, error }) => (code === 0 ? resolve() : reject(error))),
  );
  await exporter.shutdown();
}
