import type { TraceSummary } from '../contract/traces.ts';
import type { Span } from '../model/span.ts';
import { summarize, type TraceSpans } from '../tree/summarize.ts';
import { fullerSpan } from './merge-spans.ts';
import { spanBytes } from './span-bytes.ts';

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
  /** Estimated memory of its spans. */
  bytes = 0;
  #summary: TraceSummary | undefined;

  constructor(traceId: string) {
    this.traceId = traceId;
  }

  /** Takes a span, or merges it with the one of its id; a trace at its bound takes neither. */
  offer(span: Span, nowMs: number, bounds: TraceBounds): Offer {
    const known = this.spans.get(span.spanId);
    const kept = known === undefined ? span : fullerSpan(known, span);
    const growth = kept === known ? 0 : spanBytes(kept) - (known === undefined ? 0 : spanBytes(known));
    const tooMany = known === undefined && this.spans.size >= bounds.maxSpansPerTrace;
    if (tooMany || (growth > 0 && this.bytes + growth > bounds.maxBytesPerTrace)) return 'full';
    this.spans.set(span.spanId, kept);
    this.bytes += growth;
    this.updatedAtMs = nowMs;
    this.#summary = undefined;
    return known === undefined ? 'accepted' : 'duplicate';
  }

  /** What a line of the list says about it; worked out once per change. */
  summary(): TraceSummary {
    this.#summary ??= summarize(this);
    return this.#summary;
  }
}
