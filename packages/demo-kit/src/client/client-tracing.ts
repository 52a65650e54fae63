import { type Context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** The demo client's own spans: the root of each request's trace. */
export interface ClientTracing {
  /** Starts the root span of one request; every request is its own trace. */
  start(parent: Context): Span;
  /** `traceparent` header for a span, W3C Trace Context level 1. */
  traceparent(span: Span): string;
  shutdown(): Promise<void>;
}

/** Exports to `tracesUrl` with OTLP over HTTP as JSON. */
export function startClientTracing(tracesUrl: string): ClientTracing {
  const provider = new NodeTracerProvider({
    // Said here, because the default follows OTEL_TRACES_SAMPLER of the caller's shell.
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({ 'service.name': 'demo-client' }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: tracesUrl }), {
        scheduledDelayMillis: 200,
        maxQueueSize: 16_384,
      }),
    ],
  });
  const tracer: Tracer = provider.getTracer('demo-provider-traffic');
  return {
    start: (parent) =>
      tracer.startSpan('POST /v1/chat/completions', { kind: SpanKind.CLIENT }, trace.deleteSpan(parent)),
    traceparent(span) {
      const { traceId, spanId, traceFlags } = span.spanContext();
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    },
    shutdown: () => provider.shutdown(),
  };
}
