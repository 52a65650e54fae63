import { describe, expect, it } from 'vitest';
import { canonicalJson, OverlayContractError } from '../../src/index.ts';

describe('canonicalJson', () => {
  it.each([
    [[56, { d: true, '10': null, '1': [] }], '[56,{"1":[],"10":null,"d":true}]'],
    [
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    ['\u20ac$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [
      [-0, 1e21, 1e20, 1e-7, 0.000001, 5e-324, 0.1 + 0.2],
      '[0,1e+21,100000000000000000000,1e-7,0.000001,5e-324,0.30000000000000004]',
    ],
    [Object.assign(Object.create(null), { b: 1, a: {} }), '{"a":{},"b":1}'],
    [
      JSON.parse('{"__proto__":1,"a":{"toJSON":2,"constructor":3}}'),
      '{"__proto__":1,"a":{"constructor":3,"toJSON":2}}',
    ],
  ])('%j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  const cycle: Record<string, unknown> = {};
  cycle['again'] = { cycle };

  it.each([
    ['NaN', Number.NaN],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a lone surrogate', '\ud800'],
    ['surrogates in the wrong order', '\udc00\ud800'],
    ['a lone surrogate in a name', { '\udfff': 1 }],
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a hole', Array(1)],
    ['a function', { toJSON: () => 'x' }],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a class instance', new (class Thing {})()],
    ['a cycle', cycle],
  ])('refuses %s', (_what, value) => {
    let error: unknown;
    try {
      canonicalJson(value);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(OverlayContractError);
    expect(error).toMatchObject({ code: 'not_canonicalizable', issues: [{ code: 'not_canonicalizable' }] });
  });
});
