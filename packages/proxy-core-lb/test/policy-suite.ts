import { seededRandom } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { type BalancingPolicyName, type Cluster, createCluster, type EndpointInput } from '../src/index.ts';

/** How a policy runs the suite. */
export interface PolicySuiteOptions {
  readonly policy: BalancingPolicyName;
  /** Endpoints of most cases: some policies change their method with the number. */
  readonly size: number;
}

/** What every policy has to do, whatever its way of choosing. */
export function describePolicy(options: PolicySuiteOptions): void {
  describe(`${options.policy} over ${options.size} endpoints`, () => {
    describePicking(options);
    describeUpdates(options);
  });
}

function inputs(size: number): EndpointInput<{ n: number }>[] {
  return Array.from({ length: size }, (_, n) => ({ id: `e${n}`, address: `http://e${n}`, metadata: { n } }));
}

function make(
  { policy }: PolicySuiteOptions,
  endpoints: readonly EndpointInput<{ n: number }>[],
): Cluster<{ n: number }> {
  return createCluster({ name: 'suite', policy, endpoints, random: seededRandom(7) });
}

function pickId(cluster: Cluster<{ n: number }>, excluded?: ReadonlySet<string>): string | undefined {
  const result = cluster.pick(excluded);
  if (result.kind === 'none') return undefined;
  result.lease.release();
  return result.lease.endpoint.id;
}

function describePicking(options: PolicySuiteOptions): void {
  const { size } = options;

  it('hands back the endpoint with its metadata, untouched', () => {
    const list = inputs(size);
    const result = make(options, list).pick();
    if (result.kind === 'none') throw new Error('expected a pick');
    const { endpoint } = result.lease;
    const input = list.find(({ id }) => id === endpoint.id);
    expect(endpoint.address).toBe(input?.address);
    expect(endpoint.metadata).toBe(input?.metadata);
  });

  it('reaches every endpoint', () => {
    const cluster = make(options, inputs(size));
    const seen = new Set(Array.from({ length: size * 40 }, () => pickId(cluster)));
    expect(seen.size).toBe(size);
  });

  it('visits every endpoint once when one request excludes what it has tried', () => {
    const cluster = make(options, inputs(size));
    const tried = new Set<string>();
    for (let attempt = 0; attempt < size; attempt++) {
      const id = pickId(cluster, tried);
      expect(id).toBeDefined();
      expect(tried.has(id ?? '')).toBe(false);
      tried.add(id ?? '');
    }
    expect(cluster.pick(tried)).toEqual({ kind: 'none', reason: 'all_excluded' });
  });

  it('never picks a drained endpoint, for a first attempt or a retry', () => {
    const list = inputs(size).map((input, n) => ({ ...input, weight: n === 0 ? 0 : 1 }));
    const cluster = make(options, list);
    for (let n = 0; n < size * 10; n++) {
      expect(pickId(cluster)).not.toBe('e0');
      expect(pickId(cluster, new Set(['e1']))).not.toBe('e0');
    }
  });

  it('says why there is nothing to pick', () => {
    expect(make(options, []).pick()).toEqual({ kind: 'none', reason: 'no_endpoints' });
    const drained = inputs(size).map((input) => ({ ...input, weight: 0 }));
    expect(make(options, drained).pick()).toEqual({ kind: 'none', reason: 'all_drained' });
  });

  it('takes an empty set of excluded ids for a first attempt', () => {
    const [a, b] = [make(options, inputs(size)), make(options, inputs(size))];
    for (let n = 0; n < size * 2; n++) expect(pickId(a, new Set())).toBe(pickId(b));
  });

  it('is not changed by probing, by snapshots, or by picks that find nothing', () => {
    const [probed, plain] = [make(options, inputs(size)), make(options, inputs(size))];
    const all = new Set(inputs(size).map(({ id }) => id ?? ''));
    for (let n = 0; n < size * 3; n++) {
      expect(probed.canPick()).toBe(true);
      expect(probed.canPick(all)).toBe(false);
      expect(probed.pick(all).kind).toBe('none');
      probed.snapshot();
      const excluded = n % 3 === 0 ? new Set(['e0']) : undefined;
      expect(pickId(probed, excluded)).toBe(pickId(plain, excluded));
    }
  });
}

function describeUpdates(options: PolicySuiteOptions): void {
  const { size } = options;

  it('is not changed by an update that changes nothing, in any order', () => {
    const [updated, plain] = [make(options, inputs(size)), make(options, inputs(size))];
    for (let n = 0; n < size * 3; n++) {
      updated.update(n % 2 === 0 ? inputs(size) : inputs(size).reverse());
      expect(pickId(updated)).toBe(pickId(plain));
    }
  });

  it('is not changed by an update that is refused', () => {
    const [updated, plain] = [make(options, inputs(size)), make(options, inputs(size))];
    for (let n = 0; n < size * 3; n++) {
      expect(() => updated.update([{ address: 'x', weight: -1 }])).toThrow();
      expect(pickId(updated)).toBe(pickId(plain));
    }
  });

  it('hands out new metadata and address under an old id', () => {
    const cluster = make(options, inputs(size));
    cluster.update(inputs(size).map((input) => ({ ...input, address: 'http://moved', metadata: { n: -1 } })));
    const result = cluster.pick();
    if (result.kind === 'none') throw new Error('expected a pick');
    expect(result.lease.endpoint).toMatchObject({ address: 'http://moved', metadata: { n: -1 } });
  });

  it('goes through empty and drained and comes back', () => {
    const cluster = make(options, inputs(size));
    pickId(cluster);
    cluster.update([]);
    expect(cluster.pick()).toEqual({ kind: 'none', reason: 'no_endpoints' });
    cluster.update(inputs(size).map((input) => ({ ...input, weight: 0 })));
    expect(cluster.pick()).toEqual({ kind: 'none', reason: 'all_drained' });
    cluster.update(inputs(size));
    expect(new Set(Array.from({ length: size * 40 }, () => pickId(cluster))).size).toBe(size);
  });
}
