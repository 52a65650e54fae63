import type { AttributeValue } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { ByteWriter } from './byte-writer.ts';
import { encodeKeyValue, field } from './key-value.ts';

/** Encoded attributes and names that are kept: nearly all come again, and this many take half a megabyte. */
const KEPT_MAX = 4096;

/** Tags of a Span's fields: number * 8 + wire type. https://github.com/open-telemetry/opentelemetry-proto */
const SPAN = {
  traceId: 0x0a,
  spanId: 0x12,
  traceState: 0x1a,
  parentSpanId: 0x22,
  name: 0x2a,
  kind: 0x30,
  start: 0x39,
  end: 0x41,
  attribute: 0x4a,
  droppedAttributes: 0x50,
  droppedEvents: 0x60,
  droppedLinks: 0x70,
  status: 0x7a,
  flags: 0x85,
} as const;

/**
 * Spans as OTLP protobuf: byte for byte what OpenTelemetry's serializer writes, at a fraction of its cost. Attributes
 * come from closed lists and configurations, so each is encoded once and copied from then on. Batches with what our
 * spans never have (events, links, status messages, lists, several resources) go to that serializer itself.
 */
export class SpanEncoder {
  readonly #spans = new ByteWriter(64 * 1024);
  readonly #span = new ByteWriter(1024);
  readonly #attributes = new Map<string, Map<AttributeValue, Uint8Array>>();
  readonly #names = new Map<string, Uint8Array>();
  #kept = 0;

  /** An `ExportTraceServiceRequest`; the bytes are the caller's own. */
  encode(spans: ReadableSpan[]): Uint8Array | undefined {
    const [first] = spans;
    const { schemaUrl } = first?.resource ?? {};
    const scope = first?.instrumentationScope;
    if (first === undefined || schemaUrl || scope?.schemaUrl || scope?.version)
      return ProtobufTraceSerializer.serializeRequest(spans);
    this.#spans.clear();
    field(this.#spans, 0x0a, scopeOf(first));
    for (const span of spans) {
      if (!isPlain(span, first) || !this.#encodeSpan(span))
        return ProtobufTraceSerializer.serializeRequest(spans);
      field(this.#spans, 0x12, this.#span.bytes());
    }
    return request(first.resource, this.#spans.bytes());
  }

  /** Returns whether it could. */
  #encodeSpan(span: ReadableSpan): boolean {
    const out = this.#span;
    out.clear();
    const context = span.spanContext();
    const parent = span.parentSpanContext;
    id(out, SPAN.traceId, context.traceId);
    id(out, SPAN.spanId, context.spanId);
    const state = context.traceState?.serialize() ?? '';
    if (state !== '') field(out, SPAN.traceState, Buffer.from(state));
    if (parent !== undefined && parent.spanId !== '') id(out, SPAN.parentSpanId, parent.spanId);
    field(out, SPAN.name, this.#nameBytes(span.name));
    small(out, SPAN.kind, span.kind + 1);
    out.byte(SPAN.start);
    out.nanoseconds(span.startTime[0], span.startTime[1]);
    out.byte(SPAN.end);
    out.nanoseconds(span.endTime[0], span.endTime[1]);
    for (const key in span.attributes) {
      const value = span.attributes[key];
      const bytes = value === undefined ? undefined : this.#attributeBytes(key, value);
      if (bytes === undefined) return false;
      out.raw(bytes);
    }
    out.byte(SPAN.droppedAttributes);
    out.varint(span.droppedAttributesCount);
    small(out, SPAN.droppedEvents, 0);
    small(out, SPAN.droppedLinks, 0);
    small(out, SPAN.status, 2);
    small(out, 0x18, span.status.code);
    out.varint(SPAN.flags);
    // Bit 8: it is known whether the parent is remote; bit 9: it is.
    out.fixed32(context.traceFlags | 0x100 | (parent?.isRemote === true ? 0x200 : 0));
    return true;
  }

  #attributeBytes(key: string, value: AttributeValue): Uint8Array | undefined {
    const known = this.#attributes.get(key)?.get(value);
    if (known !== undefined) return known;
    const bytes = encodeKeyValue(SPAN.attribute, key, value);
    if (bytes === undefined) return undefined;
    this.#makeRoom();
    const byValue = this.#attributes.get(key) ?? new Map<AttributeValue, Uint8Array>();
    this.#attributes.set(key, byValue.set(value, bytes));
    return bytes;
  }

  #nameBytes(name: string): Uint8Array {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const bytes = Buffer.from(name);
    this.#makeRoom();
    this.#names.set(name, bytes);
    return bytes;
  }

  /** Everything is forgotten when there is no room: that is rare, and cheaper than keeping an order. */
  #makeRoom(): void {
    this.#kept += 1;
    if (this.#kept <= KEPT_MAX) return;
    this.#attributes.clear();
    this.#names.clear();
    this.#kept = 1;
  }
}

function isPlain(span: ReadableSpan, first: ReadableSpan): boolean {
  return (
    span.resource === first.resource &&
    span.instrumentationScope === first.instrumentationScope &&
    span.events.length === 0 &&
    span.links.length === 0 &&
    span.droppedEventsCount === 0 &&
    span.droppedLinksCount === 0 &&
    span.status.message === undefined
  );
}

function scopeOf({ instrumentationScope: { name } }: ReadableSpan): Uint8Array {
  const out = new ByteWriter(64);
  field(out, 0x0a, Buffer.from(name));
  return out.bytes();
}

/** The outermost message around the body of the one ScopeSpans. */
function request(resource: Resource, scopeSpans: Uint8Array): Uint8Array {
  const attributes = new ByteWriter(512);
  for (const [key, value] of Object.entries(resource.attributes)) {
    const bytes = value === undefined ? undefined : encodeKeyValue(0x0a, key, value as AttributeValue);
    if (bytes !== undefined) attributes.raw(bytes);
  }
  small(attributes, 0x10, 0);
  const body = new ByteWriter(scopeSpans.length + attributes.length + 32);
  field(body, 0x0a, attributes.bytes());
  field(body, 0x12, scopeSpans);
  const whole = new ByteWriter(body.length + 16);
  field(whole, 0x0a, body.bytes());
  return whole.bytes();
}

function id(out: ByteWriter, tag: number, hex: string): void {
  out.byte(tag);
  out.byte(hex.length / 2);
  out.hex(hex);
}

function small(out: ByteWriter, tag: number, value: number): void {
  out.byte(tag);
  out.byte(value);
}
