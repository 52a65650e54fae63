import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkCluster, checkClusterNames, clusterShape } from '../../src/clusters/cluster-config.ts';

const schema = z
  .strictObject({ clusters: z.array(z.strictObject({ ...clusterShape }).superRefine(checkCluster)) })
  .superRefine((config, context) => checkClusterNames(config.clusters, context));

function problems(...clusters: unknown[]): string[] {
  const parsed = schema.safeParse({ clusters });
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

const endpoints = [{ url: 'http://127.0.0.1:1' }];

describe('clusterShape', () => {
  it('fills in policy and weight', () => {
    expect(schema.parse({ clusters: [{ name: 'a', endpoints }] }).clusters[0]).toEqual({
      name: 'a',
      policy: 'round_robin',
      endpoints: [{ url: 'http://127.0.0.1:1', weight: 1 }],
    });
  });

  it('weight 0 drains an endpoint and is not the default', () => {
    const [cluster] = schema.parse({
      clusters: [{ name: 'a', endpoints: [{ url: 'http://h', weight: 0 }] }],
    }).clusters;
    expect(cluster?.endpoints[0]?.weight).toBe(0);
  });

  it.each([
    [
      'a path in the url',
      { endpoints: [{ url: 'http://h/v1' }] },
      'clusters.0.endpoints.0.url: expected an origin',
    ],
    ['credentials in the url', { endpoints: [{ url: 'http://u:p@h' }] }, 'expected an origin'],
    ['another scheme', { endpoints: [{ url: 'ftp://h' }] }, 'expected an origin'],
    ['no endpoint', { endpoints: [] }, 'clusters.0.endpoints'],
    ['one address twice', { endpoints: [{ url: 'http://h:80' }, { url: 'http://h' }] }, 'is listed twice'],
    ['TLS towards plain http', { endpoints, tls: { ca: 'ca.pem' } }, 'must be an https:// origin'],
    [
      'a certificate without its key',
      { endpoints: [{ url: 'https://h' }], tls: { cert: 'c.pem' } },
      '"cert" needs "key"',
    ],
    ['an unknown policy', { endpoints, policy: 'least_conn' }, 'clusters.0.policy'],
    ['an unknown key', { endpoints, ringSize: 7 }, 'Unrecognized key'],
    ['a weight of a half', { endpoints: [{ url: 'http://h', weight: 0.5 }] }, 'weight'],
  ])('%s is refused', (_name, cluster, expected) => {
    expect(problems({ name: 'a', ...cluster }).join('\n')).toContain(expected);
  });

  it('names are unique', () => {
    expect(problems({ name: 'a', endpoints }, { name: 'a', endpoints })).toEqual([
      'clusters.1.name: cluster "a" is defined twice; names are unique',
    ]);
  });
});
