import { describe, expect, it } from 'vitest';
import { type BuiltCandidates, buildCandidates } from '../../src/candidates/build-candidates.ts';
import type { ProviderPhase } from '../../src/index.ts';
import { at, inventoryOf, network, only, provider, site, type TestManifest } from '../support/manifests.ts';

function build(manifests: TestManifest[], phases: Record<string, ProviderPhase> = {}): BuiltCandidates {
  const { sites, providers } = inventoryOf(network('demo'), ...manifests);
  return buildCandidates({
    localSite: 'site-local',
    sites,
    providers,
    phases: new Map(Object.entries(phases)),
  });
}

const places = (built: BuiltCandidates): string[] =>
  built.candidates.map(({ name, site: where, cluster }) => `${name}@${where}/${cluster}`);

describe('site inventory', () => {
  it('none: one candidate, at the routing identity', () => {
    expect(places(build([provider('p')]))).toEqual(['demo-model@p/p']);
    expect(places(build([provider('p', { routingClusterRef: 'gw' })]))).toEqual(['demo-model@gw/gw']);
  });

  it('a selector that matches nothing: no candidate', () => {
    const built = build([site('site-a'), provider('p', at('site-b'))]);
    expect(built.candidates).toEqual([]);
    expect(built.exclusions).toEqual([{ provider: 'p', reason: 'no_matching_site' }]);
  });

  it('else one per model and matching site, sites in name order', () => {
    const models = [{ name: 'm1' }, { name: 'm2' }];
    const built = build([
      site('site-b', {}, { gpu: 'yes' }),
      site('site-a', {}, { gpu: 'yes' }),
      site('site-c', {}, { gpu: 'no' }),
      provider('p', { models, siteSelector: { matchLabels: { gpu: 'yes' } } }),
    ]);
    expect(places(built)).toEqual(['m1@site-a/p', 'm2@site-a/p', 'm1@site-b/p', 'm2@site-b/p']);
  });

  it('an empty selector: every site of the network', () => {
    const built = build([site('site-a'), site('site-b'), provider('p')]);
    expect(places(built)).toEqual(['demo-model@site-a/p', 'demo-model@site-b/p']);
  });

  it('routingClusterRef replaces the cluster, not the site', () => {
    const built = build([site('site-a'), provider('p', { routingClusterRef: 'gw' })]);
    expect(places(built)).toEqual(['demo-model@site-a/gw']);
  });
});

describe('phases', () => {
  it.each<[ProviderPhase | undefined, boolean | undefined]>([
    [undefined, true],
    ['unknown', true],
    ['available', true],
    ['degraded', false],
    ['unavailable', undefined],
  ])('%s gives fresh %s', (phase, fresh) => {
    const built = build([provider('p')], phase === undefined ? {} : { p: phase });
    expect(built.candidates.map((candidate) => candidate.fresh)).toEqual(fresh === undefined ? [] : [fresh]);
  });

  it('count for the provider, not for a cluster that two of them share (B14)', () => {
    const shared = { routingClusterRef: 'gw' };
    const built = build(
      [
        site('site-a'),
        site('site-b'),
        provider('p', { ...shared, ...at('site-a') }),
        provider('q', { ...shared, ...at('site-b') }),
      ],
      { p: 'unavailable' },
    );
    expect(places(built)).toEqual(['demo-model@site-b/gw']);
    expect(built.exclusions).toEqual([{ provider: 'p', reason: 'unavailable' }]);
  });
});

describe('other fields', () => {
  it('access is judged by the labels of the consumer site', () => {
    const gold = { accessPolicy: { siteSelector: { matchLabels: { tier: 'gold' } } } };
    const local = (tier: string): TestManifest => site('site-local', {}, { tier });
    expect(build([local('gold'), provider('p', gold)]).exclusions).toEqual([]);
    expect(build([local('iron'), provider('p', gold)]).exclusions).toEqual([
      { provider: 'p', reason: 'access_denied' },
    ]);
  });

  it('a drain keeps bound sessions only; a hard failure still wins', () => {
    const drained = provider('p', { trafficPolicy: { drain: true } });
    expect(only(build([drained]).candidates).admissionState).toBe('existing_only');
    expect(build([drained], { p: 'unavailable' }).candidates).toEqual([]);
    expect(only(build([provider('p', { trafficPolicy: {} })]).candidates).admissionState).toBe(
      'new_and_existing',
    );
  });

  it.each([
    ['a managed bearer token', { strategy: 'bearer_token' }, true],
    ['manual false', { strategy: 'bearer_token', manual: false }, true],
    ['a manual one', { strategy: 'bearer_token', manual: true }, false],
    ['another strategy', { strategy: 'api_key' }, false],
  ])('credential reference: %s', (_, auth, projected) => {
    const secretRef = { name: 'token', namespace: 'ns', key: 'k' };
    const { credential } = only(build([provider('p', { auth: { ...auth, secretRef } })]).candidates);
    expect(credential).toEqual(projected ? { strategy: 'bearer_token', secretRef } : undefined);
  });

  it('no secretRef, no credential', () => {
    expect(
      only(build([provider('p', { auth: { strategy: 'bearer_token' } })]).candidates),
    ).not.toHaveProperty('credential');
  });
});
