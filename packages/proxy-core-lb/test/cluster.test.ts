import { describe, expect, it, vi } from 'vitest';
import { type Cluster, createCluster, type EndpointInput, type Lease } from '../src/index.ts';

const A: EndpointInput = { id: 'a', address: 'http://a' };
const B: EndpointInput = { id: 'b', address: 'http://b' };

function lease(cluster: Cluster): Lease {
  const result = cluster.pick();
  if (result.kind === 'none') throw new Error(`no pick: ${result.reason}`);
  return result.lease;
}

function active(cluster: Cluster): Record<string, number> {
  return Object.fromEntries(cluster.snapshot().map((entry) => [entry.id, entry.activeRequests]));
}

describe('leases', () => {
  it('count as active until released, by outcome', () => {
    const cluster = createCluster({ name: 'c', endpoints: [A] });
    const leases = [lease(cluster), lease(cluster), lease(cluster), lease(cluster)] as const;
    expect(active(cluster)).toEqual({ a: 4 });
    leases[0].release();
    leases[1].release('failure');
    leases[2].release('canceled');
    expect(cluster.snapshot()).toEqual([
      {
        id: 'a',
        address: 'http://a',
        weight: 1,
        metadata: undefined,
        activeRequests: 1,
        outcomes: { success: 1, failure: 1, canceled: 1 },
        ignoredReleases: 0,
      },
    ]);
  });

  it('are released once; more calls are ignored and counted', () => {
    const cluster = createCluster({ name: 'c', endpoints: [A] });
    const [first] = [lease(cluster), lease(cluster)];
    first.release('failure');
    first.release('success');
    first.release();
    expect(cluster.snapshot()[0]).toMatchObject({
      activeRequests: 1,
      outcomes: { success: 0, failure: 1, canceled: 0 },
      ignoredReleases: 2,
    });
  });

  it('never expire: whoever is still served counts, however long it takes (B07)', () => {
    vi.useFakeTimers({ now: 0 });
    try {
      const cluster = createCluster({ name: 'c', policy: 'least_request', endpoints: [A, B] });
      const old = Array.from({ length: 10 }, () => lease(cluster));
      vi.advanceTimersByTime(100 * 24 * 3600 * 1000);
      expect(active(cluster)).toEqual({ a: 5, b: 5 });
      // A count that was forgotten would draw all of them to one endpoint.
      const fresh = Array.from({ length: 10 }, () => lease(cluster));
      expect(active(cluster)).toEqual({ a: 10, b: 10 });
      for (const each of [...old, ...fresh]) each.release();
      expect(active(cluster)).toEqual({ a: 0, b: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('keep their endpoint over an update, and their count under its id', () => {
    const cluster = createCluster({ name: 'c', endpoints: [A] });
    const old = lease(cluster);
    cluster.update([{ ...A, address: 'http://moved' }, B]);
    expect(old.endpoint.address).toBe('http://a');
    expect(active(cluster)).toEqual({ a: 1, b: 0 });
    old.release();
    expect(active(cluster)).toEqual({ a: 0, b: 0 });
  });

  it('are still counted when their endpoint leaves and comes back', () => {
    const cluster = createCluster({ name: 'c', endpoints: [A] });
    const [first, second] = [lease(cluster), lease(cluster)];
    cluster.update([B]);
    first.release();
    expect(active(cluster)).toEqual({ b: 0 });
    cluster.update([A, B]);
    expect(active(cluster)).toEqual({ a: 1, b: 0 });
    second.release();
    expect(active(cluster)).toEqual({ a: 0, b: 0 });
  });

  it('of a drained endpoint live on', () => {
    const cluster = createCluster({ name: 'c', endpoints: [A] });
    const old = lease(cluster);
    cluster.update([{ ...A, weight: 0 }]);
    expect(active(cluster)).toEqual({ a: 1 });
    old.release();
    expect(active(cluster)).toEqual({ a: 0 });
  });
});

describe('cluster', () => {
  it('takes the address for an id and one for a weight', () => {
    const cluster = createCluster({ name: 'c', endpoints: [{ address: 'http://x' }] });
    expect(cluster.snapshot()[0]).toMatchObject({ id: 'http://x', weight: 1 });
    expect([cluster.name, cluster.policy]).toEqual(['c', 'round_robin']);
  });

  it('hands out endpoints that cannot be changed', () => {
    const { endpoint } = lease(createCluster({ name: 'c', endpoints: [A] }));
    expect(Object.isFrozen(endpoint)).toBe(true);
  });

  it('does not see later changes of the array it was given', () => {
    const list = [A];
    const cluster = createCluster({ name: 'c', endpoints: list });
    list.push(B);
    expect(cluster.snapshot()).toHaveLength(1);
  });
});
