import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityIssues } from '../../../src/parse/meaning/identity.ts';
import type { WireCandidateParsed } from '../../../src/parse/wire.ts';

/** Texts over two letters, one of which may be what a careless key joins the parts with. */
const candidates = fc.constantFrom('b', '/', ' ', '\0').chain((letter) => {
  const part = fc.string({ unit: fc.constantFrom('a', letter), minLength: 1, maxLength: 3 });
  const kind = fc.constantFrom('inference_model' as const, 'mcp_tool' as const);
  return fc.array(fc.record({ kind, name: part, site: part, cluster: part }), { maxLength: 20 });
});

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

function countsRepeats(repeats: Repeats): void {
  fc.assert(
    fc.property(candidates, (list) => {
      const truth = new Set(
        list.map(({ kind, name, site, cluster }) => JSON.stringify([kind, name, site, cluster])),
      );
      expect(repeats(list)).toBe(list.length - truth.size);
    }),
    { numRuns: 1000 },
  );
}

describe('repeated candidates', () => {
  it('are those whose four parts are equal, and no others', () => {
    countsRepeats(found);
  });

  it.each(['', '/', ' ', '\0'])('the property catches parts joined by %j', (separator) => {
    expect(() => countsRepeats(joined(separator))).toThrow();
  });
});
