import { createTraceState, type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpanEncoder } from '../../src/telemetry/export/span-encoder.ts';

const resource = resourceFromAttributes({ 'service.name': 'gateway', n: 7, on: true });
const instrumentationScope = { name: 'switchyard' };

const hex = (digits: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits });
const time = fc
  .tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 }))
  .map(([seconds, nanoseconds]): HrTime => [seconds, nanoseconds]);
const ours = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.maxSafeNat(),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
);
const foreign = fc.oneof(fc.integer(), fc.array(fc.string()), fc.array(fc.integer()));

function span(value: fc.Arbitrary<unknown>): fc.Arbitrary<ReadableSpan> {
  return fc
    .record({
      traceId: hex(32),
      spanId: hex(16),
      parent: fc.option(fc.record({ spanId: hex(16), isRemote: fc.boolean() }), { nil: undefined }),
      state: fc.option(fc.constantFrom('a=1', 'vendor=x,other=y'), { nil: undefined }),
      traceFlags: fc.constantFrom(0, 1),
      name: fc.constantFrom('POST', 'POST /v1/chat/completions', 'routing.select', 'größer ✓'),
      kind: fc.constantFrom(SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT),
      startTime: time,
      endTime: time,
      attributes: fc.dictionary(
        fc.constantFrom('routing.policy', 'http.route', 'selected.site', 'größe'),
        value,
      ),
      status: fc.constantFrom(SpanStatusCode.UNSET, SpanStatusCode.ERROR),
      dropped: fc.nat({ max: 300 }),
    })
    .map(
      (one) =>
        ({
          ...one,
          resource,
          instrumentationScope,
          spanContext: () => ({
            traceId: one.traceId,
            spanId: one.spanId,
            traceFlags: one.traceFlags,
            ...(one.state === undefined ? {} : { traceState: createTraceState(one.state) }),
          }),
          parentSpanContext: one.parent && { traceId: one.traceId, traceFlags: 1, ...one.parent },
          status: { code: one.status },
          droppedAttributesCount: one.dropped,
          events: [],
          links: [],
          droppedEventsCount: 0,
          droppedLinksCount: 0,
          duration: [0, 0],
          ended: true,
        }) as unknown as ReadableSpan,
    );
}

function encodeAll(encoder: SpanEncoder, spans: readonly ReadableSpan[]): Uint8Array {
  for (const one of spans) encoder.add(one);
  expect(encoder.spans).toBe(spans.length);
  return encoder.take();
}

/** Whether an encoder and OpenTelemetry's own agree on every batch. */
function agrees(
  encode: (spans: readonly ReadableSpan[]) => Uint8Array,
  value: fc.Arbitrary<unknown>,
  maxLength = 6,
): void {
  fc.assert(
    fc.property(fc.array(span(value), { maxLength }), (spans) => {
      const expected = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []);
      expect(Buffer.from(encode(spans)).toString('hex')).toBe(expected.toString('hex'));
    }),
  );
}

describe('SpanEncoder', () => {
  it('writes the bytes that OpenTelemetry’s serializer writes', () => {
    const encoder = new SpanEncoder();
    agrees((spans) => encodeAll(encoder, spans), ours);
  });

  it('also of spans with attributes that ours never have', () => {
    const encoder = new SpanEncoder();
    // One by one: those that ours never are stand behind the others.
    const oneByOne = (spans: readonly ReadableSpan[]): Uint8Array => encodeAll(encoder, spans.slice(0, 1));
    agrees(oneByOne, fc.oneof(ours, foreign), 1);
  });

  it('the property sees an encoder that forgets the last attribute', () => {
    const encoder = new SpanEncoder();
    const forgetful = (spans: readonly ReadableSpan[]): Uint8Array =>
      encodeAll(
        encoder,
        spans.map((one) =>
          Object.assign(Object.create(one) as ReadableSpan, {
            attributes: Object.fromEntries(Object.entries(one.attributes).slice(0, -1)),
          }),
        ),
      );
    expectCaught(() => agrees(forgetful, ours));
  });

  it('stays right when more values come than it keeps', () => {
    const encoder = new SpanEncoder();
    const [one] = fc.sample(span(ours), { numRuns: 1, seed: 1 });
    for (let n = 0; n < 10_000; n += 1) {
      const spans = [{ ...one, attributes: { 'url.path': `/${n}` } } as unknown as ReadableSpan];
      const bytes = Buffer.from(encodeAll(encoder, spans));
      if (n % 1000 === 0)
        expect(bytes).toEqual(Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []));
      else expect(bytes.includes(`/${n}`)).toBe(true);
    }
  });
});
