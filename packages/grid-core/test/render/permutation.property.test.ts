import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ManifestFile, type ProviderPhase, parseManifests, renderOverlays } from '../../src/index.ts';
import { withPermutation } from '../support/candidates.ts';
import {
  at,
  network,
  now,
  only,
  producer,
  provider,
  render,
  site,
  type TestManifest,
  toFile,
} from '../support/manifests.ts';

const names = ['a', 'B', 'ä', '\u{1f600}', '｡'];
const name = fc.constantFrom(...names);

const providers = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 30 }),
    where: fc.option(name),
    cluster: fc.option(fc.constantFrom('gw-1', 'gw-2')),
    models: fc.uniqueArray(fc.constantFrom('m', 'n', 'N'), { minLength: 1 }),
    drain: fc.boolean(),
    capacityWeight: fc.integer({ min: 1, max: 3 }),
  }),
  { selector: ({ id }) => id, maxLength: 8 },
);

const sites = fc.uniqueArray(fc.record({ name, region: fc.constantFrom('eu', 'us') }), {
  selector: (entry) => entry.name,
});

/** A network with two gateways, some sites and some providers. */
const grid: fc.Arbitrary<TestManifest[]> = fc
  .record({
    sites,
    providers,
    routingPolicy: fc.constantFrom('geographyFirst', 'scoreFirst'),
    weighted: fc.boolean(),
  })
  .map((scenario) => {
    const gatewayRefs = [
      { name: 'g1', namespace: 'ns', localSiteName: 'a' },
      { name: 'g2', namespace: 'ns' },
    ];
    const weights = scenario.weighted
      ? { selectionPolicy: { mode: 'weightedRandom' }, placementPolicy: { strategy: 'static' } }
      : { selectionPolicy: { mode: 'roundRobin' } };
    return [
      network('demo', { gatewayRefs, routingPolicy: scenario.routingPolicy, ...weights }),
      ...scenario.sites.map((entry) => site(entry.name, { region: entry.region })),
      ...scenario.providers.map(({ id, where, cluster, models, drain, capacityWeight }) =>
        provider(`p${id}`, {
          models: models.map((model) => ({ name: model })),
          trafficPolicy: { drain },
          capacityWeight,
          ...(where === null ? {} : at(where)),
          ...(cluster === null ? {} : { routingClusterRef: cluster }),
        }),
      ),
    ];
  });

const phases = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 30 }),
      fc.constantFrom<ProviderPhase>('degraded', 'unavailable', 'available'),
    ),
  )
  .map((entries) => new Map(entries.map(([id, phase]) => [`p${id}`, phase])));

/** Deals the documents to files round robin. */
function deal(manifests: readonly TestManifest[], fileCount: number): ManifestFile[] {
  return Array.from({ length: fileCount }, (_, file) =>
    toFile(
      `${file}.yaml`,
      manifests.filter((__, index) => index % fileCount === file),
    ),
  );
}

const published = (files: readonly ManifestFile[], known: ReadonlyMap<string, ProviderPhase>): unknown => {
  const { overlays, failures } = renderOverlays({ ...parseManifests(files), phases: known, producer, now });
  return { overlays, failures };
};

describe('renderOverlays', () => {
  it('gives the same bytes for every order of documents and files', () => {
    const count = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(withPermutation(grid), phases, count, count, ([list, shuffled], known, before, after) => {
        const reference = published(deal(list, before), known);
        expect(published(deal(shuffled, after).reverse(), known)).toEqual(reference);
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same bytes for every order of an inventory that is not from files', () => {
    fc.assert(
      fc.property(grid, phases, (manifests, known) => {
        const { inventory } = parseManifests(deal(manifests, 1));
        const reversed = {
          networks: [...inventory.networks].reverse(),
          sites: [...inventory.sites].reverse(),
          providers: [...inventory.providers].reverse(),
        };
        const texts = [inventory, reversed].map((entry) =>
          renderOverlays({ inventory: entry, phases: known, producer, now }),
        );
        expect(texts[1]).toEqual(texts[0]);
      }),
      { numRuns: 100 },
    );
  });

  it('gives the same issues for every order of files', () => {
    const bad = [
      { path: 'a.yaml', text: 'a: b: c\nspec:\n  gridNetworkRef: demo\n' },
      toFile('b.yaml', [provider('p'), network('demo')]),
      toFile('c.yaml', [provider('p', { endpont: 'x' })]),
      toFile('d.yaml', [provider('p')]),
    ];
    fc.assert(
      fc.property(withPermutation(fc.constant(bad)), ([list, shuffled]) => {
        expect(parseManifests(shuffled)).toEqual(parseManifests(list));
      }),
    );
  });

  it('24 orders of a shared identity give one overlay with the better provider (B1)', () => {
    const shared = { routingClusterRef: 'gw', ...at('site-a') };
    const manifests = [
      network('demo'),
      site('site-a'),
      provider('stale', shared),
      provider('usable', shared),
    ];
    const known = new Map<string, ProviderPhase>([['stale', 'degraded']]);
    const reference = only(render(manifests, { phases: known }).overlays);
    expect(reference.candidates.map((entry) => entry.provider)).toEqual(['usable']);
    fc.assert(
      fc.property(withPermutation(fc.constant(manifests)), ([, shuffled]) => {
        expect(only(render(shuffled, { phases: known }).overlays).text).toBe(reference.text);
      }),
    );
  });
});
