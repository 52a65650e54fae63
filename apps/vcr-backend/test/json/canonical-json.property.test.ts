import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, JSON_DEPTH_MAX, JsonDepthError } from '../../src/json/canonical-json.ts';

/** The same value with the members of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

/** Must be caught by the property below: sorts nothing. */
const unsorted = (value: unknown): string => JSON.stringify(value);

function orderHolds(canonical: (value: unknown) => string): void {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonical(reordered(value))).toBe(canonical(value));
    }),
  );
}

describe('canonicalJson', () => {
  it('does not depend on key order', () => {
    orderHolds(canonicalJson);
    expectCaught(() => orderHolds(unsorted));
  });

  it('is JSON that parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      }),
    );
  });

  it('does not take a number beyond all bounds for null', () => {
    expect(canonicalJson(JSON.parse('[1e999, -1e999]'))).not.toBe(canonicalJson([null, null]));
  });

  it('treats __proto__ as an ordinary member and omits at the top level only', () => {
    const value: unknown = JSON.parse('{"__proto__":1,"user":"a","in":{"user":"b"}}');
    expect(canonicalJson(value, { omit: new Set(['user']) })).toBe('{"__proto__":1,"in":{"user":"b"}}');
  });

  it('refuses what nests too deeply instead of exhausting the stack', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(canonicalJson(nested(JSON_DEPTH_MAX))).toHaveLength(2 * JSON_DEPTH_MAX);
    expect(() => canonicalJson(nested(JSON_DEPTH_MAX + 1))).toThrow(JsonDepthError);
    expect(() => canonicalJson(nested(200_000))).toThrow(JsonDepthError);
  });
});
