import { type Overlay, parseOverlay } from '@switchyard/overlay-contract';
import { describe, expect, it } from 'vitest';
import { GridCoreError, type RenderedOverlay } from '../../src/index.ts';
import { at, network, now, only, provider, render, site, threeProviders } from '../support/manifests.ts';
import { matching } from '../support/matchers.ts';

/** Reads the published text back with the consumer's own parser. */
function accepted(rendered: RenderedOverlay): Overlay {
  const { network: name, gateway, namespace, localSite } = rendered;
  const result = parseOverlay(new TextEncoder().encode(rendered.text), {
    expectedScope: { network: name, gateway, namespace, localSite },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.overlay;
}

function wire(text: string): Record<string, unknown> {
  const envelope = JSON.parse(text) as { readonly overlay: Record<string, unknown> };
  return envelope.overlay;
}

describe('renderOverlays', () => {
  it('the demo: three providers in one group, round robin, accepted by a consumer', () => {
    const { overlays, failures } = render(
      threeProviders({
        routingPolicy: 'scoreFirst',
        scoringPolicy: { strategy: 'noMetrics' },
        selectionPolicy: { mode: 'roundRobin' },
      }),
    );
    expect(failures).toEqual([]);
    const overlay = accepted(only(overlays));
    expect(overlay).toMatchObject({
      revision: only(overlays).revision,
      selectionPolicy: 'round_robin',
      localSite: 'site-local',
    });
    expect(
      overlay.candidates.map(({ cluster, site: where, selectionGroup, rank }) => [
        cluster,
        where,
        selectionGroup,
        rank,
      ]),
    ).toEqual([
      ['provider-a', 'site-a', 0, 0],
      ['provider-b', 'site-b', 0, 1],
      ['provider-c', 'site-c', 0, 2],
    ]);
    expect(only(overlays)).toMatchObject({ candidateCount: 3, exclusions: [] });
    expect(only(overlays).candidates[0]).toMatchObject({ provider: 'provider-a', group: 0, tier: 'unknown' });
  });

  it('writes exactly these fields, and no score: nothing was measured', () => {
    const { overlays } = render([network('demo'), site('site-local'), provider('p', at('site-local'))]);
    expect(wire(only(overlays).text)).toEqual({
      network: 'demo',
      local_site: 'site-local',
      candidates: [
        {
          kind: 'inference_model',
          name: 'demo-model',
          site: 'site-local',
          cluster: 'p',
          stable_id: matching(/^[0-9a-f]{8}$/),
          fresh: true,
          rank: 0,
          admission_state: 'new_and_existing',
          selection_tier: 'same_site',
          selection_group: 0,
        },
      ],
    });
  });

  it('provenance and scope', () => {
    const { overlays } = render(threeProviders());
    expect(accepted(only(overlays))).toMatchObject({
      format: 'envelope',
      scope: { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'site-local' },
      provenance: {
        producer: 'grid-controller',
        producerVersion: '0.1.0',
        sourceName: 'demo',
        sourceUid: matching(/^derived-/),
        sourceGeneration: 1,
        renderedAt: '2026-01-02T03:04:05.000Z',
      },
    });
  });

  it('the legacy text is the bare overlay', () => {
    const { text, legacyText } = only(render(threeProviders()).overlays);
    expect(JSON.parse(legacyText)).toEqual(wire(text));
  });

  it('ranks over the whole list, groups per model', () => {
    const models = [{ name: 'n' }, { name: 'm' }];
    const { overlays } = render(
      [
        network('demo'),
        site('site-local', { region: 'eu' }),
        site('site-far', { region: 'us' }),
        provider('p', { models, ...at('site-local') }),
        provider('q', { models: [{ name: 'm' }], ...at('site-far') }),
        provider('r', { models: [{ name: 'm' }], ...at('site-far') }),
      ],
      { phases: new Map([['r', 'degraded']]) },
    );
    const rows = accepted(only(overlays)).candidates.map((c) => [
      c.name,
      c.cluster,
      c.selectionTier,
      c.fresh,
      c.rank,
      c.selectionGroup,
    ]);
    expect(rows).toEqual([
      ['m', 'p', 'same_site', true, 0, 0],
      ['n', 'p', 'same_site', true, 1, 0],
      ['m', 'q', 'cross_region', true, 2, 1],
      ['m', 'r', 'cross_region', false, 3, 2],
    ]);
  });

  it('the local site is the network’s name where a gateway has none', () => {
    const gatewayRefs = [{ name: 'consumer', namespace: 'ns' }];
    expect(only(render(threeProviders({ gatewayRefs })).overlays).localSite).toBe('demo');
  });

  it('one overlay per gateway, each seen from its own site, in order', () => {
    const gatewayRefs = ['b', 'a'].map((name) => ({ name, namespace: 'ns', localSiteName: `site-${name}` }));
    const { overlays } = render(threeProviders({ gatewayRefs }));
    expect(overlays.map(({ gateway, localSite }) => [gateway, localSite])).toEqual([
      ['a', 'site-a'],
      ['b', 'site-b'],
    ]);
    expect(overlays.map(({ candidates }) => candidates[0]?.site)).toEqual(['site-a', 'site-b']);
  });

  it.each([
    ['switchyard', undefined, undefined],
    ['switchyard', 'roundRobin', 'round_robin'],
    ['praxis', 'round_robin', { mode: 'roundRobin' }],
    ['praxis', undefined, undefined],
  ])('dialect %s writes selection mode %s', (overlayDialect, mode, expected) => {
    const policy = mode === undefined ? {} : { selectionPolicy: { mode } };
    const { overlays } = render(threeProviders({ overlayDialect, ...policy }));
    expect(wire(only(overlays).text)['selection_policy']).toEqual(expected);
  });

  it.each(['weightedRandom', 'weightedRoundRobin'])('%s copies capacityWeight unscaled', (mode) => {
    const spec = { selectionPolicy: { mode }, placementPolicy: { strategy: 'static' } };
    const { overlays } = render([
      network('demo', spec),
      provider('a', { capacityWeight: 1000 }),
      provider('b'),
    ]);
    expect(accepted(only(overlays)).candidates.map(({ trafficWeight }) => trafficWeight)).toEqual([1000, 1]);
  });

  it('a credential is a reference', () => {
    const secretRef = { name: 'token', namespace: 'ns', key: 'k' };
    const auth = { strategy: 'bearer_token', secretRef };
    const { overlays } = render([network('demo'), provider('a', { auth })]);
    expect(accepted(only(overlays)).candidates[0]?.credential).toEqual({
      strategy: 'bearer_token',
      secretRef,
    });
  });

  it('providers and sites of other networks stay out', () => {
    const { overlays } = render([
      ...threeProviders(),
      network('other'),
      provider('p', { gridNetworkRef: 'other' }),
    ]);
    expect(overlays.map(({ network: of, candidateCount }) => [of, candidateCount])).toEqual([
      ['demo', 3],
      ['other', 1],
    ]);
    expect(overlays[1]?.candidates[0]?.site).toBe('p');
  });

  it('one identity from two providers is published once: the better one (B1)', () => {
    const shared = { routingClusterRef: 'gw', ...at('site-a') };
    const credentialOf = (name: string): Record<string, unknown> => ({
      auth: { strategy: 'bearer_token', secretRef: { name, namespace: 'ns', key: 'k' } },
    });
    const manifests = [
      network('demo'),
      site('site-a'),
      provider('p', { ...shared, ...credentialOf('p') }),
      provider('q', { ...shared, ...credentialOf('q') }),
    ];
    const winner = (phases: [string, 'degraded' | 'available'][]): string | undefined =>
      only(only(render(manifests, { phases: new Map(phases) }).overlays).candidates).provider;
    expect(winner([['p', 'degraded']])).toBe('q');
    expect(winner([['q', 'degraded']])).toBe('p');
    expect(winner([])).toBe('p');
  });

  it('the revision follows content, not time or producer', () => {
    const base = only(render(threeProviders()).overlays);
    const later = only(
      render(threeProviders(), {
        now: () => new Date(now.getTime() + 1),
        producer: { name: 'x', version: '2' },
      }).overlays,
    );
    expect(later.revision).toBe(base.revision);
    expect(later.legacyText).toBe(base.legacyText);
    expect(later.text).not.toBe(base.text);
    const degraded = only(
      render(threeProviders(), { phases: new Map([['provider-a', 'degraded']]) }).overlays,
    );
    expect(degraded.revision).not.toBe(base.revision);
  });

  it('reads the clock once', () => {
    let calls = 0;
    const clock = (): Date => {
      calls += 1;
      return now;
    };
    render([...threeProviders(), network('other')], { now: clock });
    expect(calls).toBe(1);
  });

  it('an invalid time is the caller’s mistake', () => {
    expect(() => render(threeProviders(), { now: new Date(Number.NaN) })).toThrow(GridCoreError);
  });
});
