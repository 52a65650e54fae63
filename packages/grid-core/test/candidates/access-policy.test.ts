import { describe, expect, it } from 'vitest';
import { isAccessAllowed } from '../../src/candidates/access-policy.ts';
import type { GridSite, InferenceProvider } from '../../src/index.ts';
import { inventoryOf, network, only, provider, site } from '../support/manifests.ts';

const eu = { region: 'eu', tier: 'gold' };

function providerWith(accessPolicy: unknown): InferenceProvider {
  const spec = accessPolicy === undefined ? {} : { accessPolicy };
  return only(inventoryOf(network('demo'), provider('p', spec)).providers);
}

function consumer(labels: Record<string, string>): GridSite {
  return only(inventoryOf(network('demo'), site('site-local', {}, labels)).sites);
}

const matching = (labels: Record<string, string>): unknown => ({ siteSelector: { matchLabels: labels } });

describe('access policy', () => {
  it.each([
    ['no policy', undefined, eu, true],
    ['no policy, unknown consumer', undefined, undefined, true],
    ['an empty policy', {}, undefined, true],
    ['an empty selector', { siteSelector: {} }, undefined, true],
    ['empty labels', matching({}), undefined, true],
    ['the label, equal', matching({ region: 'eu' }), eu, true],
    ['both labels, equal', matching({ region: 'eu', tier: 'gold' }), eu, true],
    ['the label, other value', matching({ region: 'us' }), eu, false],
    ['the label, other case', matching({ region: 'EU' }), eu, false],
    ['one of two', matching({ region: 'eu', tier: 'iron' }), eu, false],
    ['a label the consumer lacks', matching({ zone: '1' }), eu, false],
    ['a label, consumer without labels', matching({ region: 'eu' }), {}, false],
    ['a label, unknown consumer: fails closed', matching({ region: 'eu' }), undefined, false],
    ['a label named like an inherited property', matching({ constructor: 'x' }), eu, false],
  ])('%s', (_, policy, labels, expected) => {
    const site = labels === undefined ? undefined : consumer(labels);
    expect(isAccessAllowed(providerWith(policy), site)).toBe(expected);
  });
});
