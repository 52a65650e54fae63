import { describe, expect, it } from 'vitest';
import {
  type GridInventory,
  parseManifests,
  type RenderFailure,
  type RenderResult,
  renderOverlays,
} from '../../src/index.ts';
import {
  at,
  inventoryOf,
  network,
  now,
  only,
  producer,
  provider,
  render,
  site,
  threeProviders,
  toFile,
} from '../support/manifests.ts';
import { containing } from '../support/matchers.ts';

const rendered = ({ overlays }: RenderResult): string[] =>
  overlays.map(({ network: of, gateway }) => `${of}/${gateway}`);
const failed = ({ failures }: RenderResult): string[] =>
  failures.map(({ network: of, gateway, code }) => `${of}/${gateway} ${code}`);

/** A second network, which must be rendered whatever happens to `demo`. */
const other = [network('other'), provider('other-p', { gridNetworkRef: 'other' })];

function renderText(text: string): RenderResult {
  const files = [toFile('good.yaml', [...threeProviders(), ...other]), { path: 'bad.yaml', text }];
  return renderOverlays({ ...parseManifests(files), producer, now });
}

describe('a bad manifest holds back its own network only', () => {
  it.each([
    ['broken YAML', 'kind: [\nspec:\n  gridNetworkRef: demo\n'],
    ['an unknown field', JSON.stringify(provider('x', { endpont: 'http://h' }))],
    ['a missing field', JSON.stringify({ ...site('x'), metadata: {} })],
    ['an unsupported version', JSON.stringify({ ...provider('x'), apiVersion: 'v2' })],
    ['an unsupported kind', JSON.stringify({ ...provider('x'), kind: 'AgentToolProvider' })],
    ['a duplicate', JSON.stringify(provider('provider-a'))],
  ])('%s', (_, text) => {
    const result = renderText(text);
    expect(rendered(result)).toEqual(['other/consumer']);
    const failure = only(result.failures);
    expect(failure).toMatchObject({
      network: 'demo',
      gateway: 'consumer',
      namespace: 'grid-system',
      code: 'ManifestInvalid',
    });
    expect(failure.causes.length).toBeGreaterThan(0);
    expect(failure.message).toMatch(/held back.*\.yaml:\d+/);
  });

  it('an issue without network holds nobody back', () => {
    const result = renderText('apiVersion: v1\nkind: ConfigMap\n');
    expect(rendered(result)).toEqual(['demo/consumer', 'other/consumer']);
    expect(result.failures).toEqual([]);
  });

  it('every gateway of the network is told', () => {
    const gatewayRefs = ['a', 'b'].map((name) => ({ name, namespace: 'ns' }));
    const bad = provider('x', { models: [] });
    expect(failed(render([...threeProviders({ gatewayRefs }), bad]))).toEqual([
      'demo/a ManifestInvalid',
      'demo/b ManifestInvalid',
    ]);
  });

  it('a network that is not valid itself: its gateways as far as they can be read', () => {
    const result = render([...threeProviders({ routingPolicy: 'best' }), ...other]);
    expect(rendered(result)).toEqual(['other/consumer']);
    expect(failed(result)).toEqual(['demo/consumer ManifestInvalid']);
  });

  it('a network whose YAML is broken: one failure for the network', () => {
    const text = 'kind: GridNetwork\nmetadata:\n  name: third\nspec: [\n';
    expect(failed(renderText(text))).toEqual(['third/ ManifestInvalid']);
  });

  it('a network twice', () => {
    const result = renderText(JSON.stringify(network('demo', { routingPolicy: 'scoreFirst' })));
    expect(rendered(result)).toEqual(['other/consumer']);
    expect(failed(result)).toEqual(['demo/consumer ManifestInvalid']);
  });

  it('mended, everything is rendered again', () => {
    expect(failed(renderText(JSON.stringify(provider('x'))))).toEqual([]);
  });
});

describe('what can’t be rendered', () => {
  const failureOf = (result: RenderResult): RenderFailure => only(result.failures);

  it.each([
    ['queueDepth', { scoringPolicy: { strategy: 'queueDepth' } }, 'NotAvailable'],
    ['kvCachePressure', { scoringPolicy: { strategy: 'kvCachePressure' } }, 'NotAvailable'],
    ['weights without placement', { selectionPolicy: { mode: 'weightedRandom' } }, 'PlacementConflict'],
    ['placement without weights', { placementPolicy: { strategy: 'static' } }, 'PlacementConflict'],
  ])('%s: said, never rendered as something else', (_, spec, code) => {
    const result = render([...threeProviders(spec), ...other]);
    expect(rendered(result)).toEqual(['other/consumer']);
    expect(failed(result)).toEqual([`demo/consumer ${code}`]);
    expect(failureOf(result).causes).toHaveLength(1);
  });

  it('the same without manifests: the renderer does not trust the inventory', () => {
    const inventory = inventoryOf(...threeProviders());
    const demo = only(inventory.networks);
    const scored: GridInventory = {
      ...inventory,
      networks: [{ ...demo, spec: { ...demo.spec, scoringPolicy: { strategy: 'queueDepth' } } }],
    };
    expect(failureOf(renderOverlays({ inventory: scored, producer, now }))).toMatchObject({
      code: 'NotAvailable',
      message: containing('queueDepth is not available yet'),
      causes: [],
    });
  });

  it('no candidate: nothing is published, and every provider’s reason is named', () => {
    const result = render(
      [
        network('demo'),
        site('site-local'),
        provider('p'),
        provider('q', at('nowhere')),
        provider('r', { accessPolicy: { siteSelector: { matchLabels: { a: 'b' } } } }),
      ],
      { phases: new Map([['p', 'unavailable']]) },
    );
    expect(failureOf(result)).toMatchObject({ code: 'EmptyCandidates', causes: [] });
    expect(failureOf(result).message).toMatch(/p is unavailable; q has a siteSelector.*; r does not admit/);
  });

  it('a network without providers', () => {
    expect(failureOf(render([network('demo')])).message).toContain('no InferenceProvider');
  });

  it('one gateway empty, the other rendered', () => {
    const gatewayRefs = ['in', 'out'].map((name) => ({ name, namespace: 'ns', localSiteName: name }));
    const gold = { accessPolicy: { siteSelector: { matchLabels: { site: 'in' } } } };
    const result = render([network('demo', { gatewayRefs }), site('in'), site('out'), provider('p', gold)]);
    expect(rendered(result)).toEqual(['demo/in']);
    expect(failed(result)).toEqual(['demo/out EmptyCandidates']);
  });

  it('two identities with one stable_id: refused before publication, both named (B15)', () => {
    const result = render([
      network('demo'),
      site('z'),
      site('y/z'),
      provider('p', { models: [{ name: 'x/y' }], routingClusterRef: 'gw', ...at('z') }),
      provider('q', { models: [{ name: 'x' }], routingClusterRef: 'gw', ...at('y/z') }),
      ...other,
    ]);
    expect(rendered(result)).toEqual(['other/consumer']);
    expect(failureOf(result).code).toBe('StableIdCollision');
    expect(failureOf(result).message).toContain('"x/y" at site "z"');
    expect(failureOf(result).message).toContain('"x" at site "y/z"');
  });

  it('an overlay that breaks the contract: too many candidates', () => {
    const models = Array.from({ length: 1025 }, (_, index) => ({ name: `m${index}` }));
    const failure = failureOf(render([network('demo'), provider('p', { models })]));
    expect(failure.code).toBe('OverlayRenderFailed');
    expect(failure.message).toContain('too_many_candidates');
    expect(failure.cause).toBeInstanceOf(Error);
  });

  it('generation 0 in an inventory that is not from manifests (B16)', () => {
    const inventory = inventoryOf(...threeProviders());
    const demo = only(inventory.networks);
    const networks = [{ ...demo, metadata: { ...demo.metadata, generation: 0 } }];
    const result = renderOverlays({ inventory: { ...inventory, networks }, producer, now });
    expect(failureOf(result)).toMatchObject({
      code: 'OverlayRenderFailed',
      message: containing('source_generation'),
    });
  });
});
