import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../src/index.ts';
import { at, network, only, parse, provider, site, toFile } from '../support/manifests.ts';
import { matching } from '../support/matchers.ts';

describe('valid manifests', () => {
  it('several documents in several files, in any API group', () => {
    const groups = ['grid.praxis-proxy.io', 'grid.praxis.fast', 'grid.switchyard.dev'];
    const sites = groups.map((group, index) => ({ ...site(`s${index}`), apiVersion: `${group}/v1alpha1` }));
    const { inventory, issues } = parseManifests([
      toFile('a.yaml', [network('demo'), ...sites]),
      toFile('b.yaml', [provider('p')]),
    ]);
    expect(issues).toEqual([]);
    expect(inventory.sites.map(({ metadata }) => metadata.name)).toEqual(['s0', 's1', 's2']);
    expect(only(inventory.providers).source).toEqual({ file: 'b.yaml', line: 1 });
  });

  it('empty files, comments and empty documents are nothing', () => {
    const texts = [
      '',
      '# only a comment\n',
      '---\n---\n',
      '\uFEFF',
      `---\n${toFile('', [network('demo')]).text}\n---\n`,
    ];
    const parsed = parseManifests(texts.map((text, index) => ({ path: `${index}.yaml`, text })));
    expect(parsed.issues).toEqual([]);
    expect(parsed.inventory.networks).toHaveLength(1);
  });

  it('fills in defaults', () => {
    const { inventory } = parse(network('demo', { gatewayRefs: undefined }), provider('p'));
    expect(only(inventory.networks).spec).toEqual({
      gatewayRefs: [],
      routingPolicy: 'geographyFirst',
      scoringPolicy: { strategy: 'noMetrics' },
      overlayDialect: 'switchyard',
    });
    expect(only(inventory.providers).spec).toMatchObject({
      capacityWeight: 1,
      models: [{ capabilities: [] }],
    });
  });

  it('gives generation 1 and a derived uid where a file has none', () => {
    const derive = (file: string): unknown =>
      only(parseManifests([toFile(file, [network('demo')])]).inventory.networks).metadata;
    expect(derive('a.yaml')).toEqual({
      name: 'demo',
      uid: matching(/^derived-[0-9a-f]{32}$/),
      generation: 1,
      labels: {},
    });
    expect(derive('b.yaml')).toEqual(derive('a.yaml'));
    expect(only(parse(network('other')).inventory.networks).metadata).not.toEqual(derive('a.yaml'));
  });

  it('keeps uid and generation that are written, and reads past what a cluster adds', () => {
    const metadata = {
      name: 'demo',
      uid: 'u-1',
      generation: 7,
      creationTimestamp: null,
      resourceVersion: '12',
      managedFields: [],
      annotations: { a: 'b' },
    };
    const live = { ...network('demo'), metadata, status: { phase: 'Active' } };
    const { inventory, issues } = parse(live);
    expect(issues).toEqual([]);
    expect(only(inventory.networks).metadata).toEqual({
      name: 'demo',
      uid: 'u-1',
      generation: 7,
      labels: {},
    });
  });

  it.each([
    ['deterministic', 'deterministic'],
    ['roundRobin', 'round_robin'],
    ['round_robin', 'round_robin'],
    ['random', 'random'],
    ['weightedRandom', 'weighted_random'],
    ['weighted_random', 'weighted_random'],
    ['weightedRoundRobin', 'weighted_round_robin'],
    ['weighted_round_robin', 'weighted_round_robin'],
  ])('reads selection mode %s as %s', (mode, expected) => {
    const placement = mode.startsWith('weighted') ? { placementPolicy: { strategy: 'static' } } : {};
    const { inventory, issues } = parse(network('demo', { selectionPolicy: { mode }, ...placement }));
    expect(issues).toEqual([]);
    expect(only(inventory.networks).spec.selectionPolicy).toEqual({ mode: expected });
  });

  it('accepts every field that upstream lists', () => {
    const everyNetworkField = {
      gridId: '',
      seeds: ['10.0.0.5:7946'],
      region: 'eu',
      zone: 'eu-1',
      swim: { gossipNodes: 3, probeInterval: '5s', suspicionTimeout: '10s' },
      tls: { caSecretRef: { name: 'ca', namespace: 'ns' } },
      metricsRefreshInterval: '1500ms',
      staleCandidateTtlSeconds: 1,
      signalTransport: { mode: 'gossip' },
      budgetPolicy: { tenants: [{ tenantId: 't', capUsd: 0 }] },
      admissionPolicy: {
        mode: 'stabilized',
        missingMetrics: 'existingOnly',
        pressure: {
          enterThreshold: 0.85,
          exitThreshold: 0.7,
          failureThreshold: 2,
          successThreshold: 3,
          minimumStateDuration: '10s',
          recoveryHoldDown: '30s',
        },
      },
    };
    const everySiteField = {
      region: 'eu',
      zone: 'eu-1',
      sovereigntyZone: 'eu',
      egress: { address: 'a:1', tls: { mode: 'Mutual', serverName: 'a' } },
      trust: { canonicalFingerprints: ['0'.repeat(64)] },
    };
    const everyProviderField = {
      models: [{ name: 'Qwen/Qwen3-0.6B', capabilities: ['text_generation'], contextWindow: 4096 }],
      accessPolicy: { siteSelector: { matchLabels: {} } },
      auth: { strategy: 'bearer_token', manual: false, secretRef: { name: 'n', namespace: 'ns', key: 'k' } },
      backendKind: 'api_provider',
      providerKind: 'open_ai',
      providerGateway: 'gw',
      cost: { perMillionInputTokens: 0.1, perMillionOutputTokens: 0 },
      healthCheck: { path: '/health', interval: '10s', timeout: '500ms', tls: {} },
      routingClusterRef: 'c',
      capacityWeight: 1000,
      trafficPolicy: { drain: false },
      metricsConfig: {
        path: '/metrics',
        signalNames: { queueDepth: 'vllm:num_requests_waiting' },
        queueCapacity: 8,
      },
      ...at('site-a'),
    };
    const parsed = parse(
      network('demo', everyNetworkField),
      site('site-a', everySiteField),
      provider('p', everyProviderField),
    );
    expect(parsed.issues).toEqual([]);
    expect(only(parsed.inventory.providers).spec).toMatchObject(everyProviderField);
  });
});
