import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityIssues } from '../../../src/parse/meaning/identity.ts';
import type { WireCandidateParsed } from '../../../src/parse/wire.ts';

/** Parts over two letters, one of which may be what a careless key joins them with: few enough to collide at once. */
function candidatesOver(letter: string): fc.Arbitrary<readonly WireCandidateParsed[]> {
  const part = fc.string({ unit: fc.constantFrom('a', letter), minLength: 1, maxLength: 3 });
  const kind = fc.constantFrom('inference_model' as const, 'mcp_tool' as const);
  const candidate = fc.record({ kind, name: part, site: part, cluster: part });
  return fc.array(candidate, { minLength: 40, maxLength: 40 });
}

type Repeats = (candidates: readonly WireCandidateParsed[]) => number;

function found(list: readonly WireCandidateParsed[]): number {
  const stableIds = list.map((_, index) => String(index));
  return identityIssues({ candidates: list, path: '' }, stableIds).length;
}

function joined(separator: string): Repeats {
  return (list) =>
    list.length -
    new Set(list.map(({ kind, name, site, cluster }) => [kind, name, site, cluster].join(separator))).size;
}

function countsRepeats(repeats: Repeats, letter: string): void {
  fc.assert(
    fc.property(candidatesOver(letter), (list) => {
      const truth = new Set(
        list.map(({ kind, name, site, cluster }) => JSON.stringify([kind, name, site, cluster])),
      );
      expect(repeats(list)).toBe(list.length - truth.size);
    }),
    { numRuns: 300 },
  );
}

describe('repeated candidates', () => {
  const separators = ['', '/', ' ', '\0'];

  it.each(['b', '/', ' ', '\0', '1'])(
    'are those whose four parts are equal, and no others; parts with %j',
    (letter) => {
      countsRepeats(found, letter);
    },
  );

  it.each(separators)('the property catches parts joined by %j', (separator) => {
    expectCaught(() => countsRepeats(joined(separator), separator === '' ? 'b' : separator));
  });
});
