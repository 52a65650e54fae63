import { startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ClusterRegistry } from '../../src/clusters/cluster-registry.ts';
import { TlsFileError } from '../../src/clusters/tls-file.ts';

const resolvePath = (path: string): string => `/nowhere/${path}`;

describe('ClusterRegistry', () => {
  it('hands out endpoints with an upstream each, by the name of the cluster', async () => {
    await using upstream = await startFaultUpstream();
    const registry = new ClusterRegistry({
      clusters: [{ name: 'a', policy: 'round_robin', endpoints: [{ url: upstream.origin, weight: 1 }] }],
      connectMs: 1000,
      resolvePath,
    });
    const picked = registry.get('a')?.cluster.pick();
    if (picked?.kind !== 'picked') throw new Error('nothing picked');
    expect(picked.lease.endpoint.address).toBe(upstream.origin);
    expect(picked.lease.endpoint.metadata?.upstream.origin).toBe(upstream.origin);
    picked.lease.release();
    expect(registry.names()).toEqual(['a']);
    expect(registry.get('b')).toBeUndefined();
    await registry.destroy();
  });

  it('says which TLS file of which cluster cannot be read', () => {
    const build = (): unknown =>
      new ClusterRegistry({
        clusters: [
          {
            name: 'a',
            policy: 'random',
            endpoints: [{ url: 'https://h', weight: 1 }],
            tls: { ca: 'ca.pem' },
          },
        ],
        connectMs: 1000,
        resolvePath,
      });
    expect(build).toThrow(TlsFileError);
    expect(build).toThrow('cannot read "ca.pem": ENOENT');
  });
});
