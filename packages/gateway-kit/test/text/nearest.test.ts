import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/index.ts';

describe('nearest', () => {
  it.each([
    ['adress', ['address', 'admin'], ['address']],
    ['lsiten', ['listen', 'limits'], ['listen']],
    ['LISTEN', ['listen'], ['listen']],
    ['gpt4', ['gpt-4', 'gpt-4o', 'claude'], ['gpt-4']],
    ['ab', ['ba', 'xy'], ['ba']],
    ['provider-d', ['provider-b', 'provider-a', 'backend'], ['provider-a', 'provider-b']],
    ['zzz', ['listen'], []],
    ['', ['a', 'bb'], ['a']],
  ])('%j among %j', (word, known, found) => {
    expect(nearest(word, known)).toEqual(found);
  });

  it('takes the distance it is given', () => {
    expect(nearest('kitten', ['sitting'], 2)).toEqual([]);
    expect(nearest('kitten', ['sitting'], 3)).toEqual(['sitting']);
    expect(nearest('a', ['a', 'b'], 0)).toEqual(['a']);
  });

  it('finds a word after any single edit, first', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 3, maxLength: 12 });
    const edit = fc.tuple(fc.nat(), fc.constantFrom('drop', 'double', 'swap', 'replace'));
    fc.assert(
      fc.property(word, edit, (name, [seed, how]) => {
        const at = seed % (name.length - 1);
        const [before, one, two, after] = [
          name.slice(0, at),
          name[at] ?? '',
          name[at + 1] ?? '',
          name.slice(at + 2),
        ];
        const middle = { drop: two, double: one + one + two, swap: two + one, replace: `z${two}` }[how];
        expect(nearest(before + middle + after, ['quite-another-name', name])).toEqual([name]);
      }),
    );
  });

  const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  const agrees = (distance: (a: string, b: string) => number) =>
    fc.property(short, short, fc.nat({ max: 4 }), (word, name, limit) => {
      expect(nearest(word, [name], limit)).toEqual(distance(word, name) <= limit ? [name] : []);
    });

  it('counts as the definition does, though it leaves out what can not matter', () => {
    fc.assert(agrees(defined), { numRuns: 2000 });
  });

  it('which a count without swaps does not', () => {
    expect(
      fc.check(
        agrees((a, b) => defined(a, b, false)),
        { seed: 1, numRuns: 2000 },
      ).failed,
    ).toBe(true);
  });
});

/** Optimal string alignment as it is defined, by recursion. */
function defined(a: string, b: string, swaps = true): number {
  const known = new Map<string, number>();
  const distance = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ways = [
      distance(i - 1, j) + 1,
      distance(i, j - 1) + 1,
      distance(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    ];
    if (swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      ways.push(distance(i - 2, j - 2) + 1);
    const least = Math.min(...ways);
    known.set(key, least);
    return least;
  };
  return distance(a.length, b.length);
}
