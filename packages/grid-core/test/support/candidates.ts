import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import type { OrderableCandidate, RoutingPolicy } from '../../src/index.ts';

export const policies: readonly RoutingPolicy[] = ['geographyFirst', 'scoreFirst'];

/** Values close enough for every tolerance, the numbers that break `===`, and nothing at all. */
const score = fc.constantFrom(
  undefined,
  Number.NaN,
  0,
  -0,
  0.5,
  0.52,
  0.54,
  0.56,
  0.58,
  1,
  Number.POSITIVE_INFINITY,
);

/** Few values each, so that ties at every sort key are common. */
export const candidate: fc.Arbitrary<OrderableCandidate> = fc
  .record({
    kind: fc.constantFrom('inference_model' as const, 'mcp_tool' as const),
    name: fc.constantFrom('m', 'n'),
    // Upper case against lower case, and a pair whose UTF-8 and UTF-16 orders differ.
    site: fc.constantFrom('a', 'B', 'ä', '\u{1f600}', '｡'),
    cluster: fc.constantFrom('c', 'D'),
    admissionState: fc.constantFrom(
      'new_and_existing' as const,
      'existing_only' as const,
      'excluded' as const,
    ),
    selectionTier: fc.constantFrom(
      'same_site' as const,
      'same_zone' as const,
      'same_region' as const,
      'cross_region' as const,
      'unknown' as const,
    ),
    fresh: fc.boolean(),
    score,
  })
  .map(({ score: value, ...rest }) => (value === undefined ? rest : { ...rest, score: value }));

const kind = fc.constantFrom('inference_model' as const, 'mcp_tool' as const);

/** Three candidates, unrelated or alike in everything but kind, site and score: the cases where an order breaks. */
export const triple: fc.Arbitrary<OrderableCandidate[]> = fc.oneof(
  fc.array(candidate, { minLength: 3, maxLength: 3 }),
  fc
    .tuple(
      candidate,
      fc.array(fc.record({ kind, site: fc.constantFrom('a', 'B'), score }), { minLength: 3, maxLength: 3 }),
    )
    .map(([{ score: _, ...base }, variants]) =>
      variants.map(({ score: value, ...variant }) => ({
        ...base,
        ...variant,
        ...(value === undefined ? {} : { score: value }),
      })),
    ),
);

/** Holds a property against what is known to be wrong, without the time it takes to shrink what it finds. */
export function expectFault(property: fc.IProperty<unknown>): void {
  expectCaught(() => fc.assert(property, { numRuns: 2000, endOnFailure: true }));
}

export function identity({ kind, name, site, cluster }: OrderableCandidate): string {
  return JSON.stringify([kind, name, site, cluster]);
}

/** Lists without two candidates of one identity. */
export const distinctCandidates: fc.Arbitrary<OrderableCandidate[]> = fc.uniqueArray(candidate, {
  selector: identity,
  maxLength: 14,
});

/** A list and a permutation of it. */
export function withPermutation<T>(lists: fc.Arbitrary<T[]>): fc.Arbitrary<readonly [T[], T[]]> {
  return lists.chain((list) =>
    fc
      .shuffledSubarray(list, { minLength: list.length, maxLength: list.length })
      .map((shuffled) => [list, shuffled] as const),
  );
}
