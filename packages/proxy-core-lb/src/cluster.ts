// Hot path: pick() runs per request.
import type { Endpoint, EndpointInput, EndpointSnapshot } from './endpoint.ts';
import { EndpointRecord } from './endpoint-record.ts';
import { type NoPickReason, PickedLease, type PickResult } from './lease.ts';
import {
  type ClusterOptions,
  type ResolvedClusterOptions,
  resolveClusterOptions,
  resolveEndpoints,
} from './options.ts';
import { createPolicy } from './policies/index.ts';
import { createPool, EMPTY_POOL, type Policy, type Pool } from './policies/policy.ts';
import type { BalancingPolicyName } from './policies/policy-names.ts';

/** Endpoints that serve the same thing, and the policy that chooses one per request. */
export interface Cluster<M = unknown> {
  readonly name: string;
  readonly policy: BalancingPolicyName;
  /**
   * Chooses an endpoint and hands out a lease on it. Synchronous; allocates the lease only.
   *
   * @param excluded - ids this request has tried already. Leave it out, or empty, for a first attempt: retries
   * take their turns apart, so that they do not shift the first picks of others.
   */
  pick(excluded?: ReadonlySet<string>): PickResult<M>;
  /** Whether `pick` would find an endpoint. Changes nothing. */
  canPick(excluded?: ReadonlySet<string>): boolean;
  /** Every endpoint, drained ones too, sorted by id, with its counts. Changes nothing. */
  snapshot(): readonly EndpointSnapshot<M>[];
  /**
   * Replaces the endpoints. Counts and turns are carried by id; leases handed out before stay valid.
   * @throws ClusterOptionsError when an endpoint is wrong; the cluster then stays as it was.
   */
  update(endpoints: readonly EndpointInput<M>[]): void;
}

/**
 * Makes a cluster.
 * @throws ClusterOptionsError with every issue found in the options.
 */
export function createCluster<M = unknown>(options: ClusterOptions<M>): Cluster<M> {
  return new BalancedCluster(resolveClusterOptions(options));
}

const NONE: Readonly<Record<NoPickReason, PickResult<never>>> = {
  no_endpoints: Object.freeze({ kind: 'none', reason: 'no_endpoints' }),
  all_drained: Object.freeze({ kind: 'none', reason: 'all_drained' }),
  all_excluded: Object.freeze({ kind: 'none', reason: 'all_excluded' }),
};

class BalancedCluster<M> implements Cluster<M> {
  readonly name: string;
  readonly policy: BalancingPolicyName;
  readonly #policy: Policy;
  /** Of every id present, and of departed ones that still have leases out. */
  #records = new Map<string, EndpointRecord<M>>();
  #present: readonly EndpointRecord<M>[] = [];
  /** Present and not drained; its order is the pool's. */
  #pickable: readonly EndpointRecord<M>[] = [];
  #pool: Pool = EMPTY_POOL;

  constructor(options: ResolvedClusterOptions<M>) {
    this.name = options.name;
    this.policy = options.policy;
    this.#policy = createPolicy(options.policy, options);
    this.#install(options.endpoints);
  }

  pick(excluded?: ReadonlySet<string>): PickResult<M> {
    if (this.#pickable.length === 0) return this.#present.length === 0 ? NONE.no_endpoints : NONE.all_drained;
    const index = this.#policy.pick(excluded === undefined || excluded.size === 0 ? undefined : excluded);
    const record = this.#pickable[index];
    return record === undefined ? NONE.all_excluded : new PickedLease(record);
  }

  canPick(excluded?: ReadonlySet<string>): boolean {
    return this.#pickable.some((record) => !excluded?.has(record.id));
  }

  snapshot(): readonly EndpointSnapshot<M>[] {
    return this.#present.map((record) => record.snapshot());
  }

  update(endpoints: readonly EndpointInput<M>[]): void {
    this.#install(resolveEndpoints(endpoints));
  }

  #install(endpoints: readonly Endpoint<M>[]): void {
    const records = new Map<string, EndpointRecord<M>>();
    this.#present = endpoints.map((endpoint) => {
      const record = this.#records.get(endpoint.id) ?? new EndpointRecord(endpoint);
      record.endpoint = endpoint;
      records.set(endpoint.id, record);
      return record;
    });
    // An id that comes back while old leases are out must find them counted.
    for (const [id, record] of this.#records) {
      if (record.active > 0 && !records.has(id)) records.set(id, record);
    }
    this.#records = records;
    this.#pickable = this.#present.filter((record) => record.endpoint.weight > 0);
    const pool = createPool(
      this.#pickable,
      this.#pickable.map((record) => record.endpoint.weight),
    );
    // The same ids and shares: nothing that was going on may be disturbed.
    if (samePool(pool, this.#pool)) return;
    this.#pool = pool;
    this.#policy.rebuild(pool);
  }
}

function samePool(a: Pool, b: Pool): boolean {
  return (
    a.entries.length === b.entries.length &&
    // By record, not by id: an id that left and came back idle has a new record.
    a.entries.every((entry, i) => entry === b.entries[i] && a.weights[i] === b.weights[i])
  );
}
