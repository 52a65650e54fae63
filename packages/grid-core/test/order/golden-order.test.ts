import { describe, expect, it } from 'vitest';
import {
  assignGroups,
  type OrderableCandidate,
  type RoutingPolicy,
  sortCandidates,
} from '../../src/index.ts';

const of = (site: string, rest: Partial<OrderableCandidate>): OrderableCandidate => ({
  kind: 'inference_model',
  name: 'm',
  cluster: `c-${site}`,
  site,
  ...rest,
});

/** One list for both policies; every neighbouring pair in the golden orders is decided by another key. */
const list: readonly OrderableCandidate[] = [
  of('far-best', { selectionTier: 'cross_region', score: 0.9 }),
  of('near-low', { selectionTier: 'same_zone', score: 0.2 }),
  of('near-high', { selectionTier: 'same_zone', score: 0.8 }),
  of('near-silent', { selectionTier: 'same_zone' }),
  of('near-stale', { selectionTier: 'same_zone', score: 1, fresh: false }),
  of('here-draining', { selectionTier: 'same_site', score: 1, admissionState: 'existing_only' }),
  of('far-tie', { selectionTier: 'cross_region', score: 0.8 }),
  of('lost', { selectionTier: 'unknown', score: 0.8 }),
];

function golden(policy: RoutingPolicy): [string, number][] {
  const sorted = sortCandidates(list, policy);
  const groups = assignGroups(sorted, policy);
  return sorted.map(({ site }, index) => [site, groups[index] ?? -1]);
}

describe('golden orders', () => {
  it('geographyFirst: admission, tier, fresh, score; a group per admission, tier and fresh', () => {
    expect(golden('geographyFirst')).toEqual([
      ['near-high', 0],
      ['near-low', 0],
      ['near-silent', 0],
      ['near-stale', 1],
      ['far-best', 2],
      ['far-tie', 2],
      ['lost', 3],
      ['here-draining', 4],
    ]);
  });

  it('scoreFirst: admission, fresh, score, tier; a group per admission and fresh', () => {
    expect(golden('scoreFirst')).toEqual([
      ['far-best', 0],
      ['near-high', 0],
      ['far-tie', 0],
      ['lost', 0],
      ['near-low', 0],
      ['near-silent', 0],
      ['near-stale', 1],
      ['here-draining', 2],
    ]);
  });

  it('ties at every ranking key go to site, name, cluster and kind', () => {
    const same = { admissionState: 'new_and_existing', selectionTier: 'unknown', fresh: true } as const;
    const make = (site: string, name: string, cluster: string, kind: OrderableCandidate['kind']) => ({
      ...same,
      site,
      name,
      cluster,
      kind,
    });
    const expected = [
      make('a', 'm', 'c', 'inference_model'),
      make('a', 'm', 'c', 'mcp_tool'),
      make('a', 'm', 'd', 'inference_model'),
      make('a', 'n', 'c', 'inference_model'),
      make('b', 'm', 'c', 'inference_model'),
    ];
    expect(sortCandidates([...expected].reverse(), 'geographyFirst')).toEqual(expected);
    expect(sortCandidates([...expected].reverse(), 'scoreFirst')).toEqual(expected);
  });

  it('counts groups per capability, interleaved or not', () => {
    const sorted = sortCandidates(
      [
        { ...of('a', { selectionTier: 'same_site' }), name: 'm' },
        { ...of('a', { selectionTier: 'cross_region' }), name: 'n' },
        { ...of('b', { selectionTier: 'cross_region' }), name: 'm' },
      ],
      'geographyFirst',
    );
    expect(sorted.map(({ name }) => name)).toEqual(['m', 'n', 'm']);
    expect(assignGroups(sorted, 'geographyFirst')).toEqual([0, 0, 1]);
  });
});
