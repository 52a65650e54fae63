import { type Clock, systemClock } from '../clock.ts';
import type { StoreStats, TraceDetail, TraceList, TraceSummary } from '../contract/traces.ts';
import type { Span } from '../model/span.ts';
import { traceDetail } from '../tree/trace-detail.ts';
import { RecentSet } from './recent-set.ts';
import { type ResolvedStoreOptions, resolveStoreOptions, type TraceStoreOptions } from './store-options.ts';
import { TraceEntry } from './trace-entry.ts';

/** Which traces a list shall have. */
export interface TraceQuery {
  /** Most traces. Default 100. */
  readonly limit?: number;
  /** Only traces in which this service took part. */
  readonly service?: string;
  /** Only traces with a span whose status is `error`. Default false. */
  readonly errorsOnly?: boolean;
  /** Only traces whose id starts with this, or whose name contains it, whatever the case. */
  readonly text?: string;
}

/** What became of the spans of one {@link TraceStore.add}. */
export interface AddResult {
  readonly accepted: number;
  readonly duplicates: number;
  /** Refused, because their trace was evicted before they came. */
  readonly refusedLate: number;
  /** Refused, because their trace has reached its bound. */
  readonly refusedTraceFull: number;
}

/** What one {@link TraceStore.add} or {@link TraceStore.clear} changed, as trace ids. */
export interface StoreChange {
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** How many evicted traces are remembered, so that their late spans don't come back as half a trace. */
const REMEMBERED_EVICTIONS = 20_000;

/**
 * Keeps spans in memory, by trace. Spans may arrive late, twice and in any order: the trees are the same
 * ({@link TraceStore.add} says which arrival of a span stands). Bounded in traces, spans and bytes.
 */
export class TraceStore {
  readonly #options: ResolvedStoreOptions;
  readonly #clock: Clock;
  // In the order in which the first spans arrived.
  readonly #traces = new Map<string, TraceEntry>();
  readonly #evicted = new RecentSet(REMEMBERED_EVICTIONS);
  readonly #listeners = new Set<(change: StoreChange) => void>();
  readonly #counts = {
    spans: 0,
    bytes: 0,
    accepted: 0,
    duplicates: 0,
    evictedSpans: 0,
    evictedTraces: 0,
    refusedLate: 0,
    refusedTraceFull: 0,
  };

  /**
   * @param clock says when spans arrived. Default: the machine's.
   * @throws {@link TraceViewError} `invalid_options`.
   */
  constructor(options: TraceStoreOptions = {}, clock: Clock = systemClock) {
    this.#options = resolveStoreOptions(options);
    this.#clock = clock;
  }

  /**
   * Takes spans. Of several arrivals of one span (trace id and span id), the one that has ended stands; else the one
   * with more attributes, events and links; else the one that ended later. Past a bound whole traces leave, those first
   * whose first span came earliest; spans of theirs that come later are refused.
   */
  add(spans: readonly Span[]): AddResult {
    const nowMs = this.#clock.now();
    const before = { ...this.#counts };
    const changed = new Set<string>();
    for (const span of spans) this.#offer(span, nowMs, changed);
    const removed = this.#options.whenFull === 'evict' ? this.#evict() : new Set<string>();
    for (const traceId of removed) changed.delete(traceId);
    this.#tell({ changed, removed });
    return {
      accepted: this.#counts.accepted - before.accepted,
      duplicates: this.#counts.duplicates - before.duplicates,
      refusedLate: this.#counts.refusedLate - before.refusedLate,
      refusedTraceFull: this.#counts.refusedTraceFull - before.refusedTraceFull,
    };
  }

  /** Whether a bound is reached and nothing may leave (`whenFull: 'refuse'`). One export may go past it. */
  get full(): boolean {
    return this.#options.whenFull === 'refuse' && this.#reached(1);
  }

  /** Traces, newest first: by the arrival of their first span. */
  list(query: TraceQuery = {}): TraceList {
    const matching: TraceSummary[] = [];
    let matched = 0;
    for (const entry of [...this.#traces.values()].reverse()) {
      if (!matches(entry, query)) continue;
      matched += 1;
      if (matching.length < (query.limit ?? 100)) matching.push(entry.summary());
    }
    return { traces: matching, matched, stats: this.stats() };
  }

  /** One trace as a tree; undefined when it isn't there. The id is lower-case hex. */
  trace(traceId: string): TraceDetail | undefined {
    const entry = this.#traces.get(traceId);
    return entry && traceDetail(entry);
  }

  /** The spans of a trace in the order of their arrival; empty when it isn't there. */
  spans(traceId: string): readonly Span[] {
    return [...(this.#traces.get(traceId)?.spans.values() ?? [])];
  }

  /** What it holds, and what it let go since the start. */
  stats(): StoreStats {
    return { traces: this.#traces.size, ...this.#counts };
  }

  /**
   * Calls `listener` after each change, at once and in order. It must not throw: its error would go to whoever added.
   *
   * @returns ends the subscription.
   */
  subscribe(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Lets all traces go, and forgets which were evicted. Counts of the past stay. */
  clear(): void {
    const removed = new Set(this.#traces.keys());
    this.#traces.clear();
    this.#evicted.clear();
    this.#counts.spans = 0;
    this.#counts.bytes = 0;
    this.#tell({ changed: new Set(), removed });
  }

  #offer(span: Span, nowMs: number, changed: Set<string>): void {
    const counts = this.#counts;
    const known = this.#traces.get(span.traceId);
    if (known === undefined && this.#evicted.has(span.traceId)) {
      counts.refusedLate += 1;
      return;
    }
    const entry = known ?? new TraceEntry(span.traceId);
    const bytesBefore = entry.bytes;
    const outcome = entry.offer(span, nowMs, this.#options);
    if (outcome === 'full') {
      counts.refusedTraceFull += 1;
      return;
    }
    if (known === undefined) this.#traces.set(span.traceId, entry);
    counts.bytes += entry.bytes - bytesBefore;
    if (outcome === 'accepted') {
      counts.accepted += 1;
      counts.spans += 1;
    } else counts.duplicates += 1;
    changed.add(span.traceId);
  }

  /** Whether a bound would be passed by `more` of everything. */
  #reached(more: number): boolean {
    const { maxTraces, maxSpans, maxBytes } = this.#options;
    const { spans, bytes } = this.#counts;
    return this.#traces.size + more > maxTraces || spans + more > maxSpans || bytes + more > maxBytes;
  }

  #evict(): Set<string> {
    const removed = new Set<string>();
    for (const [traceId, entry] of this.#traces) {
      if (!this.#reached(0)) break;
      this.#traces.delete(traceId);
      this.#evicted.add(traceId);
      this.#counts.spans -= entry.spans.size;
      this.#counts.bytes -= entry.bytes;
      this.#counts.evictedSpans += entry.spans.size;
      this.#counts.evictedTraces += 1;
      removed.add(traceId);
    }
    return removed;
  }

  #tell(change: StoreChange): void {
    if (change.changed.size === 0 && change.removed.size === 0) return;
    for (const listener of this.#listeners) listener(change);
  }
}

function matches(entry: TraceEntry, { service, errorsOnly, text }: TraceQuery): boolean {
  if (service === undefined && errorsOnly !== true && (text ?? '') === '') return true;
  const summary = entry.summary();
  if (service !== undefined && !summary.services.includes(service)) return false;
  if (errorsOnly === true && summary.errors === 0) return false;
  if (text === undefined || text === '') return true;
  const wanted = text.toLowerCase();
  return summary.traceId.startsWith(wanted) || summary.name.toLowerCase().includes(wanted);
}
