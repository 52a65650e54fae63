import { describe, expect, it } from 'vitest';
import { network, only, parse } from '../support/manifests.ts';
import { anyNumber, containing } from '../support/matchers.ts';

describe('network errors', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    [
      'a removed scoring shape',
      { scoringPolicy: { strategy: 'noMetrics', profile: 'x' } },
      'spec.scoringPolicy.profile',
      'unknown_field',
    ],
    ['scoring without strategy', { scoringPolicy: {} }, 'spec.scoringPolicy.strategy', 'missing_field'],
    [
      'queueDepth',
      { scoringPolicy: { strategy: 'queueDepth' } },
      'spec.scoringPolicy.strategy',
      'not_available',
    ],
    [
      'kvCachePressure',
      { scoringPolicy: { strategy: 'kvCachePressure' } },
      'spec.scoringPolicy.strategy',
      'not_available',
    ],
    ['unknown routing policy', { routingPolicy: 'scoreFrist' }, 'spec.routingPolicy', 'invalid_field'],
    [
      'unknown selection mode',
      { selectionPolicy: { mode: 'round-robin' } },
      'spec.selectionPolicy.mode',
      'invalid_field',
    ],
    ['selection policy as text', { selectionPolicy: 'random' }, 'spec.selectionPolicy', 'invalid_field'],
    ['unknown dialect', { overlayDialect: 'Praxis' }, 'spec.overlayDialect', 'invalid_field'],
    [
      'weighted without placement',
      { selectionPolicy: { mode: 'weightedRandom' } },
      'spec.placementPolicy',
      'placement_conflict',
    ],
    [
      'placement without weighted',
      { placementPolicy: { strategy: 'static' } },
      'spec.placementPolicy',
      'placement_conflict',
    ],
    [
      'placement with another mode',
      { selectionPolicy: { mode: 'random' }, placementPolicy: { strategy: 'static' } },
      'spec.placementPolicy',
      'placement_conflict',
    ],
    [
      'pressureWeighted',
      { selectionPolicy: { mode: 'weightedRandom' }, placementPolicy: { strategy: 'pressureWeighted' } },
      'spec.placementPolicy.strategy',
      'not_available',
    ],
    [
      'a gateway twice',
      {
        gatewayRefs: [
          { name: 'g', namespace: 'n' },
          { name: 'g', namespace: 'n', localSiteName: 's' },
        ],
      },
      'spec.gatewayRefs[1]',
      'duplicate_gateway',
    ],
    [
      'a gateway without namespace',
      { gatewayRefs: [{ name: 'g' }] },
      'spec.gatewayRefs[0].namespace',
      'missing_field',
    ],
    [
      'refresh under a second',
      { metricsRefreshInterval: '999ms' },
      'spec.metricsRefreshInterval',
      'invalid_field',
    ],
    ['a ttl of zero', { staleCandidateTtlSeconds: 0 }, 'spec.staleCandidateTtlSeconds', 'invalid_field'],
  ])('%s', (_, spec, path, code) => {
    const issue = only(parse(network('demo', spec)).issues);
    expect(issue).toMatchObject({ file: 'grid.yaml', path, code, network: 'demo', line: anyNumber() });
  });

  it('exit threshold not below enter threshold', () => {
    const pressure = {
      enterThreshold: 0.7,
      exitThreshold: 0.7,
      failureThreshold: 1,
      successThreshold: 1,
      minimumStateDuration: '1s',
      recoveryHoldDown: '1s',
    };
    expect(only(parse(network('demo', { admissionPolicy: { pressure } })).issues)).toMatchObject({
      path: 'spec.admissionPolicy.pressure.exitThreshold',
      message: containing('lower than enterThreshold'),
    });
  });
});
