import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { compareUtf8 } from '../../src/text/compare-utf8.ts';

type Compare = (left: string, right: string) => number;

/** The texts a comparator gets wrong are the ones that mix cases, scripts and planes. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ unit: fc.constantFrom('a', 'B', 'ä', 'z', '｡', '\u{1f600}'), maxLength: 4 }),
);

function agreesWithBytes(compare: Compare): fc.IProperty<[string, string]> {
  return fc.property(text, text, (left, right) => {
    const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
    return Math.sign(compare(left, right)) === bytes;
  });
}

describe('compareUtf8', () => {
  it('orders like the UTF-8 bytes', () => {
    fc.assert(agreesWithBytes(compareUtf8), { numRuns: 2000 });
  });

  it.each<[string, Compare]>([
    ['a locale collation', (left, right) => left.localeCompare(right)],
    ['UTF-16 code units', (left, right) => (left < right ? -1 : left > right ? 1 : 0)],
  ])('%s is caught', (_, compare) => {
    expectCaught(() => fc.assert(agreesWithBytes(compare), { numRuns: 2000 }));
  });
});
