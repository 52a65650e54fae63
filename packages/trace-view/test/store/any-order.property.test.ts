import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Span, type TraceDetail, TraceStore } from '../../src/index.ts';
import { makeSpan, spanIdOf, traceIdOf } from '../support/spans.ts';

interface Keeper {
  add(spans: readonly Span[]): unknown;
  trace(traceId: string): TraceDetail | undefined;
}

/** Versions of few spans with any parents: missing ones, itself, cycles; not ended, with more or less detail. */
const arrivals: fc.Arbitrary<Span[]> = fc.array(
  fc
    .record({
      n: fc.integer({ min: 1, max: 6 }),
      parent: fc.integer({ min: 0, max: 8 }),
      endNs: fc.option(fc.bigInt({ min: 0n, max: 20n })),
      startNs: fc.bigInt({ min: 0n, max: 10n }),
      attributes: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 2 })),
    })
    .map(({ n, parent, ...rest }) =>
      makeSpan(n, { ...rest, parentSpanId: parent === 0 ? null : spanIdOf(parent) }),
    ),
  { minLength: 1, maxLength: 14 },
);

/** The same arrivals twice: as they are, and shuffled, with some of them repeated, cut into other batches. */
const twoOrders = arrivals.chain((spans) =>
  fc.record({
    spans: fc.constant(spans),
    order: fc
      .tuple(fc.shuffledSubarray(spans, { minLength: spans.length }), fc.shuffledSubarray(spans))
      .map(([all, again]) => [...again, ...all]),
    batch: fc.integer({ min: 1, max: 4 }),
  }),
);

const clock = { now: () => 0 };

function sameTreeInAnyOrder(make: () => Keeper): void {
  fc.assert(
    fc.property(twoOrders, ({ spans, order, batch }) => {
      const straight = make();
      straight.add(spans);
      const shuffled = make();
      for (let at = 0; at < order.length; at += batch) shuffled.add(order.slice(at, at + batch));
      expect(shuffled.trace(traceIdOf(1))).toEqual(straight.trace(traceIdOf(1)));
    }),
    { numRuns: 500 },
  );
}

describe('any order, any number of arrivals', () => {
  it('give the same tree', () => {
    sameTreeInAnyOrder(() => new TraceStore({}, clock));
  });

  it('a store in which the last arrival stands is caught', () => {
    const lastStands = (): Keeper => {
      let spans: readonly Span[] = [];
      return {
        add: (more) => {
          spans = [...new Map([...spans, ...more].map((span) => [span.spanId, span])).values()];
        },
        trace: (traceId) => {
          const store = new TraceStore({}, clock);
          store.add(spans);
          return store.trace(traceId);
        },
      };
    };
    expect(() => sameTreeInAnyOrder(lastStands)).toThrow('Property failed');
  });

  it('every span stands in the tree exactly once, children below their parents', () => {
    fc.assert(
      fc.property(arrivals, (spans) => {
        const store = new TraceStore({}, clock);
        store.add(spans);
        const rows = store.trace(traceIdOf(1))?.rows ?? [];
        expect(rows.map((row) => row.span.spanId).sort()).toEqual(
          [...new Set(spans.map((s) => s.spanId))].sort(),
        );
        rows.forEach((row, index) => {
          const above = rows.slice(0, index).findLast((candidate) => candidate.depth < row.depth);
          if (row.place === 'child') expect(above?.span.spanId).toBe(row.span.parentSpanId);
          else expect(row.depth).toBe(0);
        });
      }),
      { numRuns: 500 },
    );
  });
});
