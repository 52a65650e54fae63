import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanArrayElements } from '../../src/index.ts';

function elements(text: string): string[] | undefined {
  const body = Buffer.from(text);
  const scan = scanArrayElements(body);
  if (scan.kind === 'malformed') return undefined;
  return scan.elements.map(({ start, end }) => body.toString('utf8', start, end));
}

describe('the elements of an array', () => {
  it.each<[string, string[]]>([
    ['[]', []],
    [' [ ] \n', []],
    ['[1]', ['1']],
    ['[ {"a":"],["} , "x,]" ,[[]],null ]', ['{"a":"],["}', '"x,]"', '[[]]', 'null']],
    ['[{"a":1,"a":2}]', ['{"a":1,"a":2}']],
  ])('of %s', (text, found) => {
    expect(elements(text)).toEqual(found);
  });

  it.each(['', '[', '[1', '[1,]', '[,1]', '[1 2]', '[1]]', '{}', '[}', '["]', '\ufeff[]'])(
    '%j has none',
    (text) => {
      expect(elements(text)).toBeUndefined();
    },
  );

  it('are those of JSON.parse', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), fc.constantFrom(0, 1), (values, indent) => {
        const found = elements(JSON.stringify(values, null, indent));
        expect(found?.map((element) => JSON.parse(element) as unknown)).toEqual(
          JSON.parse(JSON.stringify(values)),
        );
      }),
    );
  });
});
