import type { Attributes, SpanKind, SpanStatus } from '../model/span.ts';

// JSON shapes that the server sends and the page reads. Types only: the page imports this file.

/** One line of the list of traces. */
export interface TraceSummary {
  readonly traceId: string;
  /** Name and service of the earliest root (or of the earliest span whose parent is missing). */
  readonly name: string;
  readonly service: string;
  /** Start of the earliest span: nanoseconds since the epoch as a decimal string. */
  readonly startUnixNano: string;
  /** From the start of the earliest span to the end of the latest, in nanoseconds. */
  readonly durationNs: number;
  readonly spans: number;
  /** Spans whose status is `error`. */
  readonly errors: number;
  /** Names of all services seen, sorted. */
  readonly services: readonly string[];
  /** Parents that spans name and that have not arrived. 0 when the trace is whole. */
  readonly missingParents: number;
  /** When its last span arrived: epoch milliseconds, by the receiver's clock. */
  readonly updatedAtMs: number;
}

/** One span, as sent to the page. */
export interface SpanView {
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly service: string;
  /** `service.instance.id`, such as `provider-a`; null when unknown. */
  readonly instance: string | null;
  /** Nanoseconds since the epoch as a decimal string. */
  readonly startUnixNano: string;
  /** Nanoseconds since the start of the trace's earliest span. */
  readonly offsetNs: number;
  /** Null while the span has not ended. */
  readonly durationNs: number | null;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
  readonly events: readonly {
    /** Nanoseconds since the start of the trace's earliest span; may be negative when clocks differ. */
    readonly offsetNs: number;
    readonly name: string;
    readonly attributes: Attributes;
  }[];
  readonly links: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes: Attributes;
  }[];
}

/**
 * How a span hangs in its tree. `root`: it names no parent. `child`: its parent is the nearest row above with a
 * smaller depth. `missing_parent`: the parent that it names has not arrived. `cycle`: the spans name each other as
 * parents, and the tree was cut here.
 */
export type TreePlace = 'root' | 'child' | 'missing_parent' | 'cycle';

/** A span at its place in the tree. */
export interface TreeRow {
  /** 0 for roots and for spans whose parent is missing. */
  readonly depth: number;
  readonly place: TreePlace;
  readonly span: SpanView;
}

/** `GET /api/traces/:id`: one trace as a tree, written depth first, siblings by their start. */
export interface TraceDetail extends TraceSummary {
  readonly rows: readonly TreeRow[];
  /** Ids of the parents that spans name and that have not arrived, sorted. */
  readonly missingParentIds: readonly string[];
}

/** What the store holds and what it let go, since the start. */
export interface StoreStats {
  readonly traces: number;
  readonly spans: number;
  /** Estimate of the memory that the spans take. */
  readonly bytes: number;
  /** Spans that were taken; a span that came twice counts once. */
  readonly accepted: number;
  /** Arrivals of a span that was already there. */
  readonly duplicates: number;
  /** Spans that went with evicted traces. */
  readonly evictedSpans: number;
  readonly evictedTraces: number;
  /** Spans refused because they came after their trace was evicted. */
  readonly refusedLate: number;
  /** Spans refused because their trace had reached its limit. */
  readonly refusedTraceFull: number;
}

/** `GET /api/traces`. */
export interface TraceList {
  /** Newest first: the order in which the traces' first spans arrived. */
  readonly traces: readonly TraceSummary[];
  /** How many traces matched, whatever the limit. */
  readonly matched: number;
  readonly stats: StoreStats;
}
