import type { Span } from '../../src/index.ts';

/** A trace id that ends in `n`. */
export function traceIdOf(n: number): string {
  return n.toString(16).padStart(32, '0');
}

/** A span id that ends in `n`; 0 is no valid one. */
export function spanIdOf(n: number): string {
  return n.toString(16).padStart(16, '0');
}

/** A span that has ended; `start` and `end` are nanoseconds. */
export function makeSpan(n: number, overrides: Partial<Span> = {}): Span {
  return {
    traceId: traceIdOf(1),
    spanId: spanIdOf(n),
    parentSpanId: null,
    name: `span ${n}`,
    kind: 'internal',
    startNs: BigInt(n) * 1_000n,
    endNs: BigInt(n) * 1_000n + 500n,
    status: { code: 'unset', message: '' },
    attributes: {},
    events: [],
    links: [],
    traceState: '',
    source: { service: 'shop', instance: null, resource: {}, scope: { name: '', version: '' } },
    ...overrides,
  };
}
