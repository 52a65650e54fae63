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
});
