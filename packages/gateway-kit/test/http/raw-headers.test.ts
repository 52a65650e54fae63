import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerSafe, headerValues, traceIdOf } from '../../src/http/raw-headers.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('headerValues', () => {
  it('finds every value of a name in any case, in order, and no value that looks like a name', () => {
    expect(headerValues(['X-A', '1', 'b', 'x-a', 'x-A', '2'], 'x-a')).toEqual(['1', '2']);
  });
});

describe('headerSafe', () => {
  it('never gives a text that a header cannot carry, and leaves visible ASCII alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const safe = headerSafe(text);
        expect(safe).toMatch(/^[\x20-\x7e]*$/);
        if (/^[\x20-\x7e]*$/.test(text)) expect(safe).toBe(text);
      }),
    );
  });
});

describe('traceIdOf', () => {
  it.each([
    ['version 00', `00-${TRACE}-b7ad6b7169203331-01`, TRACE],
    ['a later version with more fields', `cc-${TRACE}-b7ad6b7169203331-01-more`, TRACE],
    ['the forbidden version', `ff-${TRACE}-b7ad6b7169203331-01`, null],
    ['an all-zero trace', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, null],
    ['an all-zero parent', `00-${TRACE}-${'0'.repeat(16)}-01`, null],
    ['upper case', `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`, null],
    ['nonsense', 'x', null],
  ])('%s', (_name, value, expected) => {
    expect(traceIdOf(['traceparent', value])).toBe(expected);
  });

  it('two traceparents are none', () => {
    const value = `00-${TRACE}-b7ad6b7169203331-01`;
    expect(traceIdOf(['traceparent', value, 'Traceparent', value])).toBeNull();
  });
});
