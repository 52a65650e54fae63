import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { describe, expect, it } from 'vitest';
import { SpanEncoder } from '../../../src/telemetry/export/span-encoder.ts';
import type { AttributeLimits } from '../../../src/telemetry/trace/attribute-limits.ts';
import type { Sampler } from '../../../src/telemetry/trace/sampler.ts';
import { SpanClock } from '../../../src/telemetry/trace/span-clock.ts';
import { GatewayTracer } from '../../../src/telemetry/trace/tracer.ts';

const UNLIMITED: AttributeLimits = { count: 128, valueLength: Number.POSITIVE_INFINITY };
const internal = { kind: SpanKind.INTERNAL };

function makeTracer({
  sampler = () => true,
  limits = UNLIMITED,
}: {
  sampler?: Sampler;
  limits?: AttributeLimits;
} = {}): {
  tracer: GatewayTracer;
  spans: () => ReadableSpan[];
  tick: (ms: number) => void;
} {
  const exporter = new InMemorySpanExporter();
  let ms = 1_700_000_000_000;
  const tracer = new GatewayTracer({
    name: 'test',
    resource: resourceFromAttributes({ 'service.name': 'test' }),
    sampler,
    limits,
    processors: [new SimpleSpanProcessor(exporter)],
    clock: new SpanClock({ wall: () => Math.floor(ms), monotonic: () => ms }),
  });
  return {
    tracer,
    spans: () => exporter.getFinishedSpans(),
    tick: (by) => {
      ms += by;
    },
  };
}

describe('GatewayTracer', () => {
  it('starts a trace of its own, and further spans below the one it is handed', () => {
    const { tracer, spans } = makeTracer();
    const root = tracer.startSpan('root', { kind: SpanKind.SERVER }, ROOT_CONTEXT);
    tracer.startSpan('child', internal, trace.setSpan(ROOT_CONTEXT, root)).end();
    root.end();
    const [child, server] = spans();
    expect(server).toMatchObject({ name: 'root', kind: SpanKind.SERVER });
    expect(server?.parentSpanContext).toBeUndefined();
    expect(child?.parentSpanContext).toEqual(root.spanContext());
    expect(child?.spanContext().traceId).toBe(root.spanContext().traceId);
    expect(root.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(child?.spanContext().spanId).not.toBe(root.spanContext().spanId);
  });

  it('what is not sampled has ids to hand on, records nothing and reaches nobody', () => {
    const { tracer, spans } = makeTracer({ sampler: () => false });
    const span = tracer.startSpan('root', internal, ROOT_CONTEXT);
    expect(span.isRecording()).toBe(false);
    expect(span.spanContext().traceFlags).toBe(0);
    expect(span.spanContext().spanId).toMatch(/^[0-9a-f]{16}$/);
    span.setAttribute('a', 1).end();
    expect(spans()).toEqual([]);
  });

  it('takes times with fractions; a clock that was set back makes no span end before it began', () => {
    const { tracer, spans, tick } = makeTracer();
    const first = tracer.startSpan('first', internal, ROOT_CONTEXT);
    tick(1.25);
    first.end();
    const second = tracer.startSpan('second', internal, ROOT_CONTEXT);
    tick(-5000);
    second.end();
    expect(spans().map(({ startTime, endTime, duration }) => [startTime, endTime, duration])).toEqual([
      [
        [1_700_000_000, 0],
        [1_700_000_000, 1_250_000],
        [0, 1_250_000],
      ],
      [
        [1_700_000_000, 1_250_000],
        [1_700_000_000, 1_250_000],
        [0, 0],
      ],
    ]);
  });

  it('has what it was told until it ended, and nothing of what came later', () => {
    const { tracer, spans } = makeTracer();
    const span = tracer.startSpan('before', internal, ROOT_CONTEXT);
    span.setAttributes({ a: 1, b: 'x' }).setAttribute('c', true).updateName('after');
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.addEvent('met', { at: 'noon' });
    span.recordException(new TypeError('broke'));
    span.addLink({ context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 } });
    span.end();
    span.setAttribute('d', 1).setAttributes({ e: 1 }).addEvent('late').updateName('late');
    span.setStatus({ code: SpanStatusCode.OK });
    span.end();
    expect(spans()).toHaveLength(1);
    expect(spans()[0]).toMatchObject({
      name: 'after',
      attributes: { a: 1, b: 'x', c: true },
      status: { code: SpanStatusCode.ERROR },
      links: [{ context: { spanId: '2'.repeat(16) } }],
      events: [
        { name: 'met', attributes: { at: 'noon' } },
        { name: 'exception', attributes: { 'exception.type': 'TypeError', 'exception.message': 'broke' } },
      ],
    });
  });

  it('keeps to the limits: the first names, texts cut, and how many were left out', () => {
    const { tracer, spans } = makeTracer({ limits: { count: 2, valueLength: 3 } });
    const span = tracer.startSpan('one', internal, ROOT_CONTEXT);
    span.setAttributes(Object.freeze({ a: 'abcdef', b: ['long text', 'x'] })).setAttribute('c', 1);
    span.end();
    expect(spans()[0]).toMatchObject({
      attributes: { a: 'abc', b: ['lon', 'x'] },
      droppedAttributesCount: 1,
    });
  });
});

describe('the encoding of its spans', () => {
  it('is what OpenTelemetry makes of them, also the second time and of frozen sets', () => {
    const { tracer, spans } = makeTracer();
    const encoder = new SpanEncoder();
    const frozen = Object.freeze({ policy: 'round_robin', group: 0, missing: undefined });
    for (let n = 0; n < 3; n++) {
      const span = tracer.startSpan('one', { kind: SpanKind.CLIENT }, ROOT_CONTEXT);
      span
        .setAttributes({ n, 'http.request.method': 'POST' })
        .setAttributes(frozen)
        .setAttribute('status', 200);
      span.end();
      const ended = spans().slice(-1);
      for (const one of ended) encoder.add(one);
      expect(Buffer.from(encoder.take())).toEqual(
        Buffer.from(ProtobufTraceSerializer.serializeRequest(ended) ?? []),
      );
    }
  });

  it('a frozen set that our encoder cannot write is left to OpenTelemetry’s each time', () => {
    const { tracer, spans } = makeTracer();
    const encoder = new SpanEncoder();
    const frozen = Object.freeze({ before: 1, list: ['a'] });
    for (let n = 0; n < 2; n++) {
      tracer.startSpan('one', internal, ROOT_CONTEXT).setAttributes(frozen).end();
      const ended = spans().slice(-1);
      for (const one of ended) encoder.add(one);
      expect(Buffer.from(encoder.take())).toEqual(
        Buffer.from(ProtobufTraceSerializer.serializeRequest(ended) ?? []),
      );
    }
  });
});
