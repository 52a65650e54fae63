import fc from 'fast-check';
import { doubleField, field, fixed64Field, varintField } from './protobuf-writer.ts';

// One abstract message, written in both encodings: what the decoders read from the two must be the same.

/** An `AnyValue`. */
export type AnyValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'array'; readonly value: readonly AnyValue[] }
  | { readonly kind: 'kvlist'; readonly value: readonly KeyValue[] };
export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}
export interface SpanMessage {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly { time: bigint; name: string; attributes: readonly KeyValue[] }[];
  readonly links: readonly { traceId: string; spanId: string; attributes: readonly KeyValue[] }[];
  readonly status: { readonly code: number; readonly message: string };
}
export interface ExportMessage {
  readonly resource: readonly KeyValue[];
  readonly scope: { readonly name: string; readonly version: string };
  readonly spans: readonly SpanMessage[];
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const hex = (digits: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: digits / 2, maxLength: digits / 2 })
    .map((bytes) => Buffer.from(bytes).toString('hex'));
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const { keyValues } = fc.letrec<{ value: AnyValue; keyValues: KeyValue[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant({ kind: 'none' as const }),
    text.map((value) => ({ kind: 'string' as const, value })),
    fc.boolean().map((value) => ({ kind: 'bool' as const, value })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ kind: 'int' as const, value })),
    fc.double().map((value) => ({ kind: 'double' as const, value })),
    fc.uint8Array({ maxLength: 9 }).map((value) => ({ kind: 'bytes' as const, value })),
    fc.array(tie('value'), { maxLength: 3 }).map((value) => ({ kind: 'array' as const, value })),
    tie('keyValues').map((value) => ({ kind: 'kvlist' as const, value })),
  ),
  keyValues: fc.array(
    fc.record({
      key: fc.oneof(text, fc.constant('__proto__'), fc.constant('service.name')),
      value: tie('value'),
    }),
    { maxLength: 4 },
  ),
}));

/** Exports of every shape, invalid ids among them. */
export const exportMessages: fc.Arbitrary<ExportMessage> = fc.record({
  resource: keyValues,
  scope: fc.record({ name: text, version: text }),
  spans: fc.array(
    fc.record({
      traceId: fc.oneof(hex(32), hex(30), fc.constant('0'.repeat(32))),
      spanId: hex(16),
      parentSpanId: fc.oneof(hex(16), fc.constant(''), fc.constant('0'.repeat(16)), hex(4)),
      traceState: text,
      name: text,
      kind: fc.integer({ min: 0, max: 9 }),
      start: uint64,
      end: fc.oneof(uint64, fc.constant(0n)),
      attributes: keyValues,
      events: fc.array(fc.record({ time: uint64, name: text, attributes: keyValues }), { maxLength: 2 }),
      links: fc.array(fc.record({ traceId: hex(32), spanId: hex(16), attributes: keyValues }), {
        maxLength: 2,
      }),
      status: fc.record({ code: fc.integer({ min: 0, max: 4 }), message: text }),
    }),
    { maxLength: 4 },
  ),
});

/** The JSON of the OTLP specification. 64-bit integers alternate between strings and numbers where both are exact. */
export function toJson(message: ExportMessage): string {
  const resourceSpans = [
    {
      resource: { attributes: message.resource.map(jsonKeyValue) },
      scopeSpans: [{ scope: message.scope, spans: message.spans.map(jsonSpan), unknownField: [{}] }],
    },
  ];
  return JSON.stringify({ resourceSpans });
}

function jsonSpan(span: SpanMessage): unknown {
  return {
    traceId: span.traceId.toUpperCase(),
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    traceState: span.traceState,
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: span.start.toString(),
    endTimeUnixNano: span.end.toString(),
    attributes: span.attributes.map(jsonKeyValue),
    events: span.events.map(({ time, name, attributes }) => ({
      timeUnixNano: time.toString(),
      name,
      attributes: attributes.map(jsonKeyValue),
    })),
    links: span.links.map((link) => ({ ...link, attributes: link.attributes.map(jsonKeyValue) })),
    status: span.status.code === 0 && span.status.message === '' ? null : span.status,
    flags: 257,
  };
}

function jsonKeyValue({ key, value }: KeyValue): unknown {
  return { key, value: jsonValue(value) };
}

function jsonValue(any: AnyValue): unknown {
  switch (any.kind) {
    case 'none':
      return {};
    case 'string':
      return { stringValue: any.value };
    case 'bool':
      return { boolValue: any.value };
    case 'int':
      return { intValue: Number.isSafeInteger(Number(any.value)) ? Number(any.value) : any.value.toString() };
    case 'double':
      return { doubleValue: Number.isFinite(any.value) ? any.value : String(any.value) };
    case 'bytes':
      return { bytesValue: Buffer.from(any.value).toString('base64') };
    case 'array':
      return { arrayValue: { values: any.value.map(jsonValue) } };
    case 'kvlist':
      return { kvlistValue: { values: any.value.map(jsonKeyValue) } };
  }
}

/** The same in protobuf, with fields that no version knows strewn in, and the resource behind its spans. */
export function toProtobuf(message: ExportMessage): Buffer {
  const spans = message.spans.map((span) => field(2, protobufSpan(span)));
  const scope = field(1, Buffer.concat([field(1, message.scope.name), field(2, message.scope.version)]));
  const resource = Buffer.concat(message.resource.map((pair) => field(1, keyValue(pair))));
  const resourceSpans = Buffer.concat([
    field(2, Buffer.concat([...spans, scope, field(3, 'schema')])),
    varintField(99, 2n ** 60n),
    field(1, resource),
  ]);
  return field(1, resourceSpans);
}

function protobufSpan(span: SpanMessage): Buffer {
  return Buffer.concat([
    field(1, Buffer.from(span.traceId, 'hex')),
    field(2, Buffer.from(span.spanId, 'hex')),
    field(4, Buffer.from(span.parentSpanId, 'hex')),
    field(3, span.traceState),
    field(5, span.name),
    varintField(6, span.kind),
    fixed64Field(7, span.start),
    fixed64Field(8, span.end),
    ...span.attributes.map((pair) => field(9, keyValue(pair))),
    varintField(10, 3),
    ...span.events.map(({ time, name, attributes }) =>
      field(
        11,
        Buffer.concat([
          fixed64Field(1, time),
          field(2, name),
          ...attributes.map((a) => field(3, keyValue(a))),
        ]),
      ),
    ),
    ...span.links.map(({ traceId, spanId, attributes }) =>
      field(
        13,
        Buffer.concat([
          field(1, Buffer.from(traceId, 'hex')),
          field(2, Buffer.from(spanId, 'hex')),
          ...attributes.map((a) => field(4, keyValue(a))),
        ]),
      ),
    ),
    field(15, Buffer.concat([field(2, span.status.message), varintField(3, span.status.code)])),
    field(500, 'of a later version'),
  ]);
}

function keyValue({ key, value }: KeyValue): Buffer {
  return Buffer.concat([field(1, key), field(2, anyValue(value))]);
}

function anyValue(any: AnyValue): Buffer {
  switch (any.kind) {
    case 'none':
      return Buffer.alloc(0);
    case 'string':
      return field(1, any.value);
    case 'bool':
      return varintField(2, any.value ? 1 : 0);
    case 'int':
      return varintField(3, any.value);
    case 'double':
      return doubleField(4, any.value);
    case 'array':
      return field(5, Buffer.concat(any.value.map((item) => field(1, anyValue(item)))));
    case 'kvlist':
      return field(6, Buffer.concat(any.value.map((pair) => field(1, keyValue(pair)))));
    case 'bytes':
      return field(7, Buffer.from(any.value));
  }
}
