import { describe, expect, it } from 'vitest';
import { selectionTier } from '../../src/candidates/tier.ts';
import { inventoryOf, network, site } from '../support/manifests.ts';

interface Place {
  readonly region?: string;
  readonly zone?: string;
}

function tierBetween(consumer: Place | undefined, candidate: Place | undefined): string {
  const places = { here: consumer, there: candidate };
  const manifests = Object.entries(places).flatMap(([name, place]) =>
    place ? [site(name, { ...place })] : [],
  );
  const { sites } = inventoryOf(network('demo'), ...manifests);
  return selectionTier('here', 'there', new Map(sites.map((entry) => [entry.metadata.name, entry])));
}

describe('selection tier', () => {
  it.each<[string, Place | undefined, Place | undefined, string]>([
    ['same region, same zone', { region: 'eu', zone: '1' }, { region: 'eu', zone: '1' }, 'same_zone'],
    ['same region, other zone', { region: 'eu', zone: '1' }, { region: 'eu', zone: '2' }, 'same_region'],
    ['same region, one zone unknown', { region: 'eu', zone: '1' }, { region: 'eu' }, 'same_region'],
    ['same region, no zones', { region: 'eu' }, { region: 'eu' }, 'same_region'],
    ['other region', { region: 'eu' }, { region: 'us' }, 'cross_region'],
    [
      'other region, same zone name',
      { region: 'eu', zone: '1' },
      { region: 'us', zone: '1' },
      'cross_region',
    ],
    ['candidate without region', { region: 'eu' }, {}, 'unknown'],
    ['consumer without region', {}, { region: 'eu' }, 'unknown'],
    ['no regions, same zone', { zone: '1' }, { zone: '1' }, 'unknown'],
    ['consumer not in the inventory', undefined, { region: 'eu' }, 'unknown'],
    ['candidate not in the inventory', { region: 'eu' }, undefined, 'unknown'],
  ])('%s', (_, consumer, candidate, expected) => {
    expect(tierBetween(consumer, candidate)).toBe(expected);
  });

  it('the same name is the same site, whatever is known about it', () => {
    expect(selectionTier('here', 'here', new Map())).toBe('same_site');
  });
});
