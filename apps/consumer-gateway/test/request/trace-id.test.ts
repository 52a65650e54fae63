import { describe, expect, it } from 'vitest';
import { traceIdOf } from '../../src/request/trace-id.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('traceIdOf', () => {
  const cases: [string, string[], string | null][] = [
    ['a valid header', ['TraceParent', `00-${id}-00f067aa0ba902b7-01`], id],
    ['none', [], null],
    [
      'two',
      ['traceparent', `00-${id}-00f067aa0ba902b7-01`, 'traceparent', `00-${id}-00f067aa0ba902b7-01`],
      null,
    ],
    ['an all-zero trace', ['traceparent', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`], null],
    ['an all-zero parent', ['traceparent', `00-${id}-${'0'.repeat(16)}-01`], null],
    ['upper case', ['traceparent', `00-${id.toUpperCase()}-00f067aa0ba902b7-01`], null],
    ['the forbidden version', ['traceparent', `ff-${id}-00f067aa0ba902b7-01`], null],
  ];
  it.each(cases)('%s', (_what, raw, expected) => {
    expect(traceIdOf(raw)).toBe(expected);
  });
});
