import process from 'node:process';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { hrTimeToIso, hrTimeToMs } from './hr-time.ts';

/**
 * `OTEL_TRACES_EXPORTER=console`: one JSON line per span on stderr. The SDK's own console exporter writes to stdout,
 * where parents read our listening lines.
 */
export function createConsoleExporter(): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) process.stderr.write(`${JSON.stringify(toLine(span))}\n`);
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
}

function toLine(span: ReadableSpan): Record<string, unknown> {
  const { traceId, spanId } = span.spanContext();
  return {
    event: 'span',
    name: span.name,
    kind: span.kind,
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    start: hrTimeToIso(span.startTime),
    durationMs: hrTimeToMs(span.duration),
    status: span.status,
    attributes: span.attributes,
    resource: span.resource.attributes,
  };
}
