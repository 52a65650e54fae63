import { describe, expect, it } from 'vitest';
import { compareBodies } from '../../src/match/first-difference.ts';

const NONE: ReadonlySet<string> = new Set();
const first = (expected: unknown, found: unknown) => compareBodies({ expected, found }, NONE).first;

describe('compareBodies', () => {
  it.each([
    [{ a: 1 }, { a: 2 }, { path: 'a', expected: '1', found: '2' }],
    [{ a: 1 }, { a: '1' }, { path: 'a', expected: '1', found: '"1"' }],
    [{ a: null }, {}, { path: 'a', expected: 'null', found: 'nothing' }],
    [{}, { stream: true }, { path: 'stream', expected: 'nothing', found: 'true' }],
    [[1, 2], [1], { path: '[1]', expected: '2', found: 'nothing' }],
    [[1], [1, {}], { path: '[1]', expected: 'nothing', found: 'empty object' }],
    [{ m: [{ c: 'x' }] }, { m: [{ c: 'y' }] }, { path: 'm[0].c', expected: '"x"', found: '"y"' }],
    [{ 'a b': { c: 1 } }, { 'a b': { c: [] } }, { path: '["a b"].c', expected: '1', found: 'array of 0' }],
    [{ a: 1 }, null, { path: '', expected: 'object with a', found: 'null' }],
    [
      { z: 1, b: 1 },
      { z: 2, b: 2 },
      { path: 'b', expected: '1', found: '2' },
    ],
  ])('%j against %j', (expected, found, difference) => {
    expect(first(expected, found)).toEqual(difference);
  });

  it('finds nothing between equal values in another order', () => {
    const comparison = compareBodies({ expected: { a: 1, b: [2] }, found: { b: [2], a: 1 } }, NONE);
    expect(comparison).toEqual({ first: undefined, count: 0, distance: 0 });
  });

  it('leaves out ignored members at the top level only', () => {
    const expected = { user: 'a', in: { user: 'a' } };
    const found = { user: 'b', in: { user: 'b' } };
    expect(compareBodies({ expected, found }, new Set(['user'])).first?.path).toBe('in.user');
  });

  it('sees __proto__ as a member', () => {
    const found: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(first({}, found)).toEqual({ path: '__proto__', expected: 'nothing', found: 'object with a' });
  });

  it('shows the part of a long text where it differs, and little of it', () => {
    const long = 'x'.repeat(10_000);
    const difference = first(`${long}A${long}`, `${long}B${long}`);
    expect(difference?.expected).toMatch(/^\(from character 9984\) "x{16}Ax+"\.\.\.$/);
    expect(difference?.found.length).toBeLessThan(120);
  });

  it('counts all differences, and rates texts by how much of them is alike', () => {
    const near = compareBodies({ expected: { t: 'Which site?' }, found: { t: 'Which site' } }, NONE);
    const far = compareBodies({ expected: { t: 'Which site?' }, found: { t: 'Hello' } }, NONE);
    expect(near.distance).toBeLessThan(far.distance);
    expect(compareBodies({ expected: { a: 1, b: 2, c: 3 }, found: { a: 0, b: 2 } }, NONE).count).toBe(2);
  });

  it('stops at the limit', () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index);
    const bodies = { expected: numbers, found: numbers.map((number) => -1 - number) };
    expect(compareBodies(bodies, NONE, 3).count).toBe(3);
  });
});
