import {
  type Attributes,
  type AttributeValue,
  type Exception,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanStatus,
  SpanStatusCode,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace-node';
import { toHrTime } from './span-clock.ts';

/** A set of attributes, or one of them. */
export type AttributePart = Attributes | readonly [name: string, value: AttributeValue];

/** What the spans of one tracer share. */
export interface SpanOrigin {
  readonly resource: Resource;
  readonly scope: ReadableSpan['instrumentationScope'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the span once it has ended. */
  readonly ended: (span: RecordedSpan) => void;
}

/** What a span is started with. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: SpanContext;
  /** Absent for the first span of a trace. */
  readonly parent: SpanContext | undefined;
}

const NO_LINKS: Link[] = [];
const NO_EVENTS: TimedEvent[] = [];
const UNSET: SpanStatus = { code: SpanStatusCode.UNSET };

/**
 * A span that is sampled. Attributes are kept as they are handed over and neither checked nor copied, which is most of
 * what a span costs otherwise: a set must not change afterwards, and a name is to be set once. A frozen set is encoded
 * once and for all.
 */
export class RecordedSpan implements Span, ReadableSpan {
  name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  status: SpanStatus = UNSET;
  ended = false;
  links: Link[] = NO_LINKS;
  events: TimedEvent[] = NO_EVENTS;
  droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly #origin: SpanOrigin;
  readonly #context: SpanContext;
  readonly #startMs: number;
  #endMs = 0;
  #parts: AttributePart[] = [];

  constructor(origin: SpanOrigin, { name, kind, context, parent }: SpanStart) {
    this.#origin = origin;
    this.#context = context;
    this.#startMs = origin.now();
    this.name = name;
    this.kind = kind;
    if (parent !== undefined) this.parentSpanContext = parent;
  }

  get resource(): Resource {
    return this.#origin.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.#origin.scope;
  }

  get startTime(): HrTime {
    return toHrTime(this.#startMs);
  }

  get endTime(): HrTime {
    return toHrTime(this.#endMs);
  }

  get duration(): HrTime {
    return toHrTime(Math.max(0, this.#endMs - this.#startMs));
  }

  /** All attributes in one object, made for this call. */
  get attributes(): Attributes {
    const all: Attributes = {};
    for (const part of this.#parts) {
      for (const [name, value] of isPair(part) ? [part] : Object.entries(part)) {
        if (value !== undefined) all[name] = value;
      }
    }
    return all;
  }

  /** The attributes as they were set. */
  get parts(): readonly AttributePart[] {
    return this.#parts;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  isRecording(): boolean {
    return !this.ended;
  }

  setAttribute(name: string, value: AttributeValue): this {
    if (!this.ended) this.#parts.push([name, value]);
    return this;
  }

  setAttributes(attributes: Attributes): this {
    if (!this.ended) this.#parts.push(attributes);
    return this;
  }

  /** Puts others in place of all attributes, when there are limits to what a span may have. */
  replaceAttributes(attributes: Attributes, dropped: number): void {
    this.#parts = [attributes];
    this.droppedAttributesCount = dropped;
  }

  addEvent(name: string, attributes?: unknown): this {
    const time = toHrTime(this.#origin.now());
    const event = typeof attributes === 'object' ? { attributes: attributes as Attributes } : {};
    if (!this.ended) this.events = [...this.events, { name, time, ...event }];
    return this;
  }

  addLink(link: Link): this {
    return this.addLinks([link]);
  }

  addLinks(links: Link[]): this {
    if (!this.ended) this.links = [...this.links, ...links];
    return this;
  }

  setStatus(status: SpanStatus): this {
    if (!this.ended) this.status = status;
    return this;
  }

  updateName(name: string): this {
    if (!this.ended) this.name = name;
    return this;
  }

  /** As an event, by OpenTelemetry's names. */
  recordException(exception: Exception): void {
    const { name, message } =
      typeof exception === 'string' ? { name: undefined, message: exception } : exception;
    this.addEvent('exception', { 'exception.type': name, 'exception.message': message });
  }

  /** Takes the time and hands the span over; once. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#endMs = Math.max(this.#startMs, this.#origin.now());
    this.#origin.ended(this);
  }
}

/** Whether a part is one attribute. */
export function isPair(part: AttributePart): part is readonly [string, AttributeValue] {
  return Array.isArray(part);
}
