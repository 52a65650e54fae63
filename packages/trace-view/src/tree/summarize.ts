import type { TraceSummary } from '../contract/traces.ts';
import type { Span } from '../model/span.ts';

/** The spans of one trace and when the last of them arrived. */
export interface TraceSpans {
  readonly traceId: string;
  /** By span id; never empty. */
  readonly spans: ReadonlyMap<string, Span>;
  /** Epoch milliseconds. */
  readonly updatedAtMs: number;
}

/** What a line of the list says about a trace. */
export function summarize({ traceId, spans, updatedAtMs }: TraceSpans): TraceSummary {
  const services = new Set<string>();
  let errors = 0;
  let startNs: bigint | undefined;
  let endNs = 0n;
  for (const span of spans.values()) {
    services.add(span.source.service);
    if (span.status.code === 'error') errors += 1;
    if (startNs === undefined || span.startNs < startNs) startNs = span.startNs;
    const last = span.endNs ?? span.startNs;
    if (last > endNs) endNs = last;
  }
  const head = headOf(spans);
  return {
    traceId,
    name: head?.name ?? '',
    service: head?.source.service ?? '',
    startUnixNano: String(startNs ?? 0n),
    durationNs: Number(endNs - (startNs ?? endNs)),
    spans: spans.size,
    errors,
    services: [...services].sort(),
    missingParents: missingParents(spans).length,
    updatedAtMs,
  };
}

/** Ids of the parents that spans name and that have not arrived, sorted. */
export function missingParents(spans: ReadonlyMap<string, Span>): string[] {
  const missing = new Set<string>();
  for (const { parentSpanId } of spans.values())
    if (parentSpanId !== null && !spans.has(parentSpanId)) missing.add(parentSpanId);
  return [...missing].sort();
}

/** The earliest root; without one the earliest span whose parent is missing; else the earliest of all. */
function headOf(spans: ReadonlyMap<string, Span>): Span | undefined {
  let head: Span | undefined;
  let headRank = 0;
  for (const span of spans.values()) {
    const rank = span.parentSpanId === null ? 2 : spans.has(span.parentSpanId) ? 0 : 1;
    if (head === undefined || rank > headRank || (rank === headRank && isBefore(span, head))) {
      head = span;
      headRank = rank;
    }
  }
  return head;
}

function isBefore(a: Span, b: Span): boolean {
  return a.startNs === b.startNs ? a.spanId < b.spanId : a.startNs < b.startNs;
}
