import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { type StoreChange, TraceStore, type TraceStoreOptions } from '../../src/index.ts';
import { makeSpan, spanIdOf, traceIdOf } from '../support/spans.ts';

const inTrace = (trace: number, n: number): ReturnType<typeof makeSpan> =>
  makeSpan(n, { traceId: traceIdOf(trace) });
const ids = (store: TraceStore): string[] => store.list().traces.map(({ traceId }) => traceId);

describe('merging', () => {
  it('a span that has ended stands against one that has not, whichever came first', () => {
    const open = makeSpan(1, { endNs: null, attributes: { a: 1, b: 2 } });
    const ended = makeSpan(1);
    for (const order of [
      [open, ended],
      [ended, open],
    ]) {
      const store = new TraceStore();
      store.add(order);
      expect(store.spans(traceIdOf(1))).toEqual([ended]);
      expect(store.stats()).toMatchObject({ accepted: 1, duplicates: 1, spans: 1 });
    }
  });

  it('counts bytes down to zero when all is gone, after merges too', () => {
    const store = new TraceStore();
    store.add([makeSpan(1), makeSpan(1, { attributes: { text: 'x'.repeat(1_000) } }), inTrace(2, 2)]);
    expect(store.stats().bytes).toBeGreaterThan(1_000);
    store.clear();
    expect(store.stats()).toMatchObject({ bytes: 0, spans: 0, traces: 0, accepted: 2 });
  });
});

describe('order', () => {
  it('of two spans that began in the same millisecond, the one that ended first stands first', () => {
    const store = new TraceStore();
    const at = { startNs: 1_000_000n, parentSpanId: spanIdOf(1) };
    const [long, short, open] = [
      makeSpan(2, { ...at, endNs: 9_000_000n }),
      makeSpan(3, { ...at, endNs: 1_100_000n }),
      makeSpan(4, { ...at, endNs: null }),
    ];
    store.add([open, long, short, makeSpan(1, { startNs: 0n, parentSpanId: null })]);
    const tree = store.trace(traceIdOf(1));
    expect(tree?.rows.map(({ span }) => span.spanId)).toEqual([1, 3, 2, 4].map(spanIdOf));
  });
});

describe('bounds', () => {
  it.each<[string, TraceStoreOptions]>([
    ['traces', { maxTraces: 2 }],
    ['spans', { maxSpans: 5 }],
    ['bytes', { maxBytes: 4_000, maxBytesPerTrace: 2_000 }],
  ])(
    'of %s: the oldest trace leaves whole, and its late spans do not bring half of it back',
    (_name, options) => {
      const store = new TraceStore(options);
      store.add([inTrace(1, 1), inTrace(1, 2)]);
      store.add([inTrace(2, 3), inTrace(2, 4)]);
      store.add([inTrace(3, 5), inTrace(3, 6)]);
      expect(ids(store)).toEqual([traceIdOf(3), traceIdOf(2)]);
      expect(store.add([inTrace(1, 7)])).toEqual({
        accepted: 0,
        duplicates: 0,
        refusedLate: 1,
        refusedTraceFull: 0,
      });
      expect(store.stats()).toMatchObject({
        traces: 2,
        spans: 4,
        evictedTraces: 1,
        evictedSpans: 2,
        refusedLate: 1,
      });
    },
  );

  it('of one trace: more spans are refused and counted, a better version of a known one is taken', () => {
    const store = new TraceStore({ maxSpansPerTrace: 2 });
    const result = store.add([makeSpan(1, { endNs: null }), makeSpan(2), makeSpan(3), makeSpan(1)]);
    expect(result).toEqual({ accepted: 2, duplicates: 1, refusedLate: 0, refusedTraceFull: 1 });
    expect(store.spans(traceIdOf(1)).map(({ endNs }) => endNs)).not.toContain(null);
  });

  it('of the bytes of one trace: what would pass it is refused, in a new trace too', () => {
    const store = new TraceStore({ maxBytesPerTrace: 2_000 });
    const huge = makeSpan(1, { attributes: { text: 'x'.repeat(5_000) } });
    expect(store.add([huge]).refusedTraceFull).toBe(1);
    expect(store.stats().traces).toBe(0);
    store.add([makeSpan(1), makeSpan(2)]);
    expect(store.add([huge]).refusedTraceFull).toBe(1);
    expect(store.trace(traceIdOf(1))?.spans).toBe(2);
  });

  it('a large resource counts, once for each trace that keeps it alive', () => {
    const store = new TraceStore({ maxBytes: 100_000 });
    const source = { ...makeSpan(1).source, resource: { text: 'x'.repeat(20_000) } };
    store.add([makeSpan(1, { source }), makeSpan(2, { source })]);
    expect(store.stats().bytes).toBeGreaterThan(20_000);
    expect(store.stats().bytes).toBeLessThan(25_000);
    for (let n = 2; n < 10; n++) store.add([makeSpan(n, { traceId: traceIdOf(n), source: { ...source } })]);
    expect(store.stats()).toMatchObject({ traces: 4, evictedTraces: 5 });
  });

  it('told to refuse, it is full at its bound and lets nothing go', () => {
    const store = new TraceStore({ maxSpans: 2, maxSpansPerTrace: 2, whenFull: 'refuse' });
    store.add([makeSpan(1)]);
    expect(store.full).toBe(false);
    store.add([inTrace(2, 2)]);
    expect(store.full).toBe(true);
    expect(store.stats()).toMatchObject({ spans: 2, evictedSpans: 0 });
    store.clear();
    expect(store.full).toBe(false);
  });

  it.each<[TraceStoreOptions, string]>([
    [{ maxTraces: 0 }, 'store.maxTraces: expected a whole number from 1'],
    [{ maxSpans: 1.5 }, 'store.maxSpans'],
    [{ maxSpans: 10, maxSpansPerTrace: 11 }, 'store.maxSpansPerTrace: expected a whole number from 1 to 10'],
  ])('%j is refused', (options, message) => {
    expect(() => new TraceStore(options)).toThrow(message);
  });
});

describe('answers', () => {
  it('lists newest first, filters, and counts what matched past the limit', () => {
    const clock = new ManualClock({ epochMs: 5_000 });
    const store = new TraceStore({}, clock);
    store.add([inTrace(1, 1)]);
    store.add([
      makeSpan(2, { traceId: traceIdOf(2), name: 'GET /cart', status: { code: 'error', message: '' } }),
    ]);
    clock.advance(10);
    store.add([makeSpan(3, { traceId: traceIdOf(3), source: { ...makeSpan(1).source, service: 'bank' } })]);
    const found = (query: Parameters<TraceStore['list']>[0]): string[] =>
      store.list(query).traces.map(({ traceId }) => traceId);
    expect(found({})).toEqual([3, 2, 1].map(traceIdOf));
    expect(store.list({ limit: 1 })).toMatchObject({ matched: 3, traces: [{ updatedAtMs: 5_010 }] });
    expect(found({ service: 'bank' })).toEqual([traceIdOf(3)]);
    expect(found({ errorsOnly: true })).toEqual([traceIdOf(2)]);
    expect(found({ text: 'CART' })).toEqual([traceIdOf(2)]);
    expect(found({ text: traceIdOf(1) })).toEqual([traceIdOf(1)]);
  });

  it('marks roots, missing parents and cycles in the tree', () => {
    const store = new TraceStore();
    store.add([
      makeSpan(1),
      makeSpan(2, { parentSpanId: spanIdOf(1) }),
      makeSpan(3, { parentSpanId: spanIdOf(99) }),
      makeSpan(4, { parentSpanId: spanIdOf(5) }),
      makeSpan(5, { parentSpanId: spanIdOf(4) }),
      makeSpan(6, { parentSpanId: spanIdOf(5) }),
    ]);
    const trace = store.trace(traceIdOf(1));
    expect(trace?.rows.map(({ depth, place, span }) => [span.name, depth, place])).toEqual([
      ['span 1', 0, 'root'],
      ['span 2', 1, 'child'],
      ['span 3', 0, 'missing_parent'],
      ['span 4', 0, 'cycle'],
      ['span 5', 1, 'child'],
      ['span 6', 2, 'child'],
    ]);
    expect(trace).toMatchObject({
      name: 'span 1',
      missingParents: 1,
      missingParentIds: [spanIdOf(99)],
      spans: 6,
    });
  });

  it('a chain of 10000 spans is a tree, not a stack overflow', () => {
    const store = new TraceStore();
    store.add(
      Array.from({ length: 10_000 }, (_, n) =>
        makeSpan(n + 1, { parentSpanId: n === 0 ? null : spanIdOf(n) }),
      ),
    );
    expect(store.trace(traceIdOf(1))?.rows.at(-1)?.depth).toBe(9_999);
  });

  it('tells listeners what changed and what left, until they unsubscribe', () => {
    const store = new TraceStore({ maxTraces: 1 });
    const changes: StoreChange[] = [];
    const unsubscribe = store.subscribe((change) => changes.push(change));
    store.add([inTrace(1, 1)]);
    store.add([inTrace(2, 2)]);
    unsubscribe();
    store.add([inTrace(3, 3)]);
    expect(changes).toEqual([
      { changed: new Set([traceIdOf(1)]), removed: new Set() },
      { changed: new Set([traceIdOf(2)]), removed: new Set([traceIdOf(1)]) },
    ]);
  });
});
