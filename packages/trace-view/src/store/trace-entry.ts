import type { TraceSummary } from '../contract/traces.ts';
import type { Span, SpanSource } from '../model/span.ts';
import { summarize, type TraceSpans } from '../tree/summarize.ts';
import { fullerSpan } from './merge-spans.ts';
import { sourceBytes, spanBytes } from './span-bytes.ts';

/** What became of a span that was offered to a trace. */
export type Offer = 'accepted' | 'duplicate' | 'full';

/** Bounds of one trace. */
export interface TraceBounds {
  readonly maxSpansPerTrace: number;
  readonly maxBytesPerTrace: number;
}

/** One trace of the store: its spans by id. */
export class TraceEntry implements TraceSpans {
  readonly traceId: string;
  readonly spans: Map<string, Span> = new Map();
  updatedAtMs = 0;
  /** Estimated memory of its spans and their sources. */
  bytes = 0;
  // Spans of one export share their source. It counts once a trace, and stays counted until the trace leaves.
  readonly #sources = new Set<SpanSource>();
  #summary: TraceSummary | undefined;

  constructor(traceId: string) {
    this.traceId = traceId;
  }

  /** Takes a span, or merges it with the one of its id; a trace at its bound takes neither. */
  offer(span: Span, nowMs: number, bounds: TraceBounds): Offer {
    const known = this.spans.get(span.spanId);
    const kept = known === undefined ? span : fullerSpan(known, span);
    const growth = kept === known ? 0 : this.#growth(kept, known);
    const tooMany = known === undefined && this.spans.size >= bounds.maxSpansPerTrace;
    if (tooMany || (growth > 0 && this.bytes + growth > bounds.maxBytesPerTrace)) return 'full';
    this.spans.set(span.spanId, kept);
    this.#sources.add(kept.source);
    this.bytes += growth;
    this.updatedAtMs = nowMs;
    this.#summary = undefined;
    return known === undefined ? 'accepted' : 'duplicate';
  }

  #growth(added: Span, replaced: Span | undefined): number {
    const source = this.#sources.has(added.source) ? 0 : sourceBytes(added.source);
    return spanBytes(added) + source - (replaced === undefined ? 0 : spanBytes(replaced));
  }

  /** What a line of the list says about it; worked out once per change. */
  summary(): TraceSummary {
    this.#summary ??= summarize(this);
    return this.#summary;
  }
}
