/**
 * A value of an attribute, always fit for JSON. 64-bit integers beyond 2^53 are decimal strings, bytes are base64,
 * and the doubles that JSON lacks are the strings `NaN`, `Infinity` and `-Infinity`.
 */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };

/** Attributes by name. Of equal names the last one stands. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** What a span stands for, as OpenTelemetry names it. */
export type SpanKind = 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** How the operation ended, as its instrumentation judged it. */
export interface SpanStatus {
  readonly code: 'unset' | 'ok' | 'error';
  /** For people; empty when there is none. */
  readonly message: string;
}

/** Something that happened during a span. */
export interface SpanEvent {
  /** Nanoseconds since the epoch. */
  readonly timeNs: bigint;
  readonly name: string;
  readonly attributes: Attributes;
}

/** Another span that this one refers to without being its child. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/** Who made a span: shared by all spans of one resource in an export. */
export interface SpanSource {
  /** `service.name`; `unknown_service` when the resource has none. */
  readonly service: string;
  /** `service.instance.id`; null when the resource has none. */
  readonly instance: string | null;
  /** All attributes of the resource. */
  readonly resource: Attributes;
  /** Instrumentation scope. Both are empty when unknown. */
  readonly scope: { readonly name: string; readonly version: string };
}

/** One span as it was received, whatever encoding it came in. */
export interface Span {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  readonly spanId: string;
  /** Null for a root. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** Nanoseconds since the epoch, by the clock of the process that made the span. */
  readonly startNs: bigint;
  /** Null while the span has not ended. */
  readonly endNs: bigint | null;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  /** W3C `tracestate`; empty when there is none. */
  readonly traceState: string;
  readonly source: SpanSource;
}
