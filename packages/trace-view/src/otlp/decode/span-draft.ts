import type { Attributes, Span, SpanEvent, SpanLink, SpanSource } from '../../model/span.ts';
import { kindOf, type OpenAttributes, statusCodeOf, textOf } from './values.ts';

/** A span while it is being read: the fields of the OTLP message with their defaults. Ids are hex of any case. */
export class SpanDraft {
  traceId = '';
  spanId = '';
  parentSpanId = '';
  traceState = '';
  name = '';
  kind = 0;
  startNs = 0n;
  endNs = 0n;
  statusCode = 0;
  statusMessage = '';
  readonly attributes: OpenAttributes;
  readonly events: SpanEvent[] = [];
  readonly links: SpanLink[] = [];

  constructor(attributes: OpenAttributes = {}) {
    this.attributes = attributes;
  }
}

/** What was read of one export. */
export interface DecodedExport {
  readonly spans: readonly Span[];
  /** Spans that cannot be kept, because their ids are invalid. */
  readonly rejected: number;
  /** What was wrong with the first of them; null when none was rejected. */
  readonly reason: string | null;
}

/** Collects the spans of one export; both encodings end here, so that they mean the same. */
export class ExportCollector implements DecodedExport {
  readonly spans: Span[] = [];
  rejected = 0;
  reason: string | null = null;

  /** Takes a span, or counts it as rejected. */
  add(draft: SpanDraft, source: SpanSource): void {
    const span = this.#finish(draft, source);
    if (span === undefined) this.rejected += 1;
    else this.spans.push(span);
  }

  #finish(draft: SpanDraft, source: SpanSource): Span | undefined {
    const traceId = draft.traceId.toLowerCase();
    const spanId = draft.spanId.toLowerCase();
    const parentSpanId = draft.parentSpanId.toLowerCase();
    if (!isId(traceId, 32)) return this.#wrong('traceId', traceId, 32);
    if (!isId(spanId, 16)) return this.#wrong('spanId', spanId, 16);
    const root = parentSpanId === '' || parentSpanId === NO_SPAN;
    if (!root && !isId(parentSpanId, 16)) return this.#wrong('parentSpanId', parentSpanId, 16);
    return {
      traceId,
      spanId,
      parentSpanId: root ? null : parentSpanId,
      name: draft.name,
      kind: kindOf(draft.kind),
      startNs: draft.startNs,
      endNs: draft.endNs === 0n ? null : draft.endNs,
      status: { code: statusCodeOf(draft.statusCode), message: draft.statusMessage },
      attributes: draft.attributes,
      events: draft.events,
      links: draft.links,
      traceState: draft.traceState,
      source,
    };
  }

  #wrong(field: string, found: string, digits: number): undefined {
    this.reason ??= `${field} ${JSON.stringify(found.slice(0, 40))} is not ${digits} hex digits that are not all zero`;
  }
}

/** The source that all spans of one scope share. */
export function spanSource(resource: Attributes, scope: SpanSource['scope']): SpanSource {
  return {
    service: textOf(resource, 'service.name', 'unknown_service'),
    instance: textOf(resource, 'service.instance.id', null),
    resource,
    scope,
  };
}

const NO_SPAN = '0'.repeat(16);
const ID = /^[0-9a-f]+$/;
const ZEROS = /^0+$/;

function isId(text: string, digits: number): boolean {
  return text.length === digits && ID.test(text) && !ZEROS.test(text);
}
