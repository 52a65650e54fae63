import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonScan, scanJson } from '../../../src/parse/text/scan-json.ts';

const text = fc.oneof(
  fc.json({ stringUnit: 'binary' }),
  fc.tuple(fc.json({ stringUnit: 'binary' }), fc.nat()).map(([whole, cut]) => whole.slice(0, cut % 60)),
  fc
    .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', 'ü', ' '), { maxLength: 20 })
    .map((all) => all.join('')),
);

/** The same by other means: complete strings are cut out, then characters counted. */
function reference(source: string): Pick<JsonScan, 'depth' | 'colons' | 'openAtEnd' | 'stringAtEnd'> {
  const bare = source.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gsu, (each) =>
    /^"(?:[^"\\]|\\.)*"$/su.test(each) ? '' : '"',
  );
  const stringAtEnd = bare.endsWith('"');
  let depth = 0;
  let deepest = 0;
  for (const each of bare) {
    if ('{['.includes(each)) depth++;
    if ('}]'.includes(each)) depth--;
    deepest = Math.max(deepest, depth);
  }
  return { depth: deepest, colons: bare.split(':').length - 1, openAtEnd: depth, stringAtEnd };
}

function agreesWithReference(scan: (source: string) => JsonScan): void {
  fc.assert(
    fc.property(text, (source) => {
      expect(scan(source)).toEqual({ ...reference(source), tooDeepAt: -1 });
    }),
    { numRuns: 2000 },
  );
}

describe('scanJson', () => {
  it('counts colons and nesting outside strings, whatever the text', () => {
    agreesWithReference((source) => scanJson(Buffer.from(source), 1000));
  });

  it('the property catches a scan that takes an escaped quote for the end', () => {
    expectCaught(() => {
      agreesWithReference((source) => scanJson(Buffer.from(source.replaceAll('\\"', '"')), 1000));
    });
  });

  it('stops at the first bracket that is too deep', () => {
    expect(scanJson(Buffer.from('{"[[[":[[[]]]}'), 3)).toMatchObject({ tooDeepAt: 9 });
  });
});
