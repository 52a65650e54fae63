import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { type AttributePart, isPair, RecordedSpan } from '../trace/recorded-span.ts';
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
 * come from closed lists and configurations, so each is encoded once and copied from then on. A span with what ours
 * never have (events, links, a status message, lists, another resource) is written by that serializer itself, behind
 * the others: protobuf messages of one type add up when they are put one after another.
 */
export class SpanEncoder {
  readonly #spans = new ByteWriter(64 * 1024);
  readonly #span = new ByteWriter(1024);
  readonly #others: Uint8Array[] = [];
  readonly #attributes = new Map<string, Map<AttributeValue, Uint8Array>>();
  /** Sets that never change, whole; they go with their owner. */
  readonly #frozen = new WeakMap<Attributes, Uint8Array>();
  readonly #names = new Map<string, Uint8Array>();
  #kept = 0;
  #count = 0;
  /** Gives resource and scope of the message that is being written. */
  #first: ReadableSpan | undefined;

  /** Spans since the last {@link take}. */
  get spans(): number {
    return this.#count;
  }

  /** Encodes a span now; nothing of it is kept. */
  add(span: ReadableSpan): void {
    this.#count += 1;
    const first = this.#first ?? span;
    if (hasPlainScope(first) && isPlain(span, first) && this.#encodeSpan(span)) {
      this.#first = first;
      field(this.#spans, 0x12, this.#span.bytes());
    } else this.#others.push(ProtobufTraceSerializer.serializeRequest([span]) ?? new Uint8Array());
  }

  /** All spans since the last call as one `ExportTraceServiceRequest`; the bytes are the caller's own. */
  take(): Uint8Array {
    const others = this.#others.splice(0);
    const own = this.#first === undefined ? [] : [request(this.#first, this.#spans.bytes())];
    this.#spans.clear();
    this.#first = undefined;
    this.#count = 0;
    return own.length === 1 && others.length === 0 && own[0] !== undefined
      ? own[0]
      : Buffer.concat([...own, ...others]);
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
    for (const part of span instanceof RecordedSpan ? span.parts : [span.attributes]) {
      if (!this.#encodePart(part)) return false;
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

  /** Returns whether it could. */
  #encodePart(part: AttributePart): boolean {
    if (isPair(part)) return this.#encodeAttribute(part[0], part[1]);
    if (!Object.isFrozen(part)) return this.#encodeSet(part);
    const known = this.#frozen.get(part);
    if (known !== undefined) {
      this.#span.raw(known);
      return true;
    }
    const from = this.#span.length;
    if (!this.#encodeSet(part)) return false;
    this.#frozen.set(part, Uint8Array.from(this.#span.bytes().subarray(from)));
    return true;
  }

  #encodeSet(attributes: Attributes): boolean {
    for (const key in attributes) {
      const value = attributes[key];
      if (value !== undefined && !this.#encodeAttribute(key, value)) return false;
    }
    return true;
  }

  #encodeAttribute(key: string, value: AttributeValue): boolean {
    const bytes = this.#attributeBytes(key, value);
    if (bytes !== undefined) this.#span.raw(bytes);
    return bytes !== undefined;
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

function hasPlainScope({ resource, instrumentationScope: { version, schemaUrl } }: ReadableSpan): boolean {
  return [resource.schemaUrl, version, schemaUrl].every((text) => text === undefined || text === '');
}

function scopeOf({ instrumentationScope: { name } }: ReadableSpan): Uint8Array {
  const out = new ByteWriter(64);
  field(out, 0x0a, Buffer.from(name));
  return out.bytes();
}

/** The outermost message around the spans of the one ScopeSpans. */
function request(first: ReadableSpan, spans: Uint8Array): Uint8Array {
  const resource = new ByteWriter(512);
  for (const [key, value] of Object.entries(first.resource.attributes)) {
    const bytes = value === undefined ? undefined : encodeKeyValue(0x0a, key, value as AttributeValue);
    if (bytes !== undefined) resource.raw(bytes);
  }
  small(resource, 0x10, 0);
  const scope = scopeOf(first);
  const scopeSpans = new ByteWriter(spans.length + scope.length + 16);
  field(scopeSpans, 0x0a, scope);
  scopeSpans.raw(spans);
  const body = new ByteWriter(scopeSpans.length + resource.length + 16);
  field(body, 0x0a, resource.bytes());
  field(body, 0x12, scopeSpans.bytes());
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
