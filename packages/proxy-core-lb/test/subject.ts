import { type BalancingPolicyName, createCluster, type Random } from '../src/index.ts';

/** One endpoint of a test; weight 1 unless said. */
export interface Member {
  readonly id: string;
  readonly weight?: number;
}

/** A picker under test, real or planted. A pick is released at once. */
export interface Subject {
  pick(excluded?: ReadonlySet<string>): string | undefined;
  update(members: readonly Member[]): void;
}

/** What a subject may be made with. */
export interface SubjectOptions {
  readonly startOffset?: number;
  readonly random?: Random;
}

export type MakeSubject = (members: readonly Member[], options?: SubjectOptions) => Subject;

/** Makes subjects that are real clusters. */
export function clusterSubject(policy: BalancingPolicyName): MakeSubject {
  return (members, options = {}) => {
    const inputs = (list: readonly Member[]) =>
      list.map((member) => ({ ...member, address: `http://${member.id}` }));
    const cluster = createCluster({ name: 'test', policy, endpoints: inputs(members), ...options });
    return {
      pick: (excluded) => {
        const result = cluster.pick(excluded);
        if (result.kind === 'none') return undefined;
        result.lease.release();
        return result.lease.endpoint.id;
      },
      update: (list) => cluster.update(inputs(list)),
    };
  };
}

/** `a`, `b`, `c` ... */
export function members(count: number, weights: readonly number[] = []): Member[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `m${String(i).padStart(3, '0')}`,
    weight: weights[i] ?? 1,
  }));
}

/** The next `count` picks. */
export function take(
  subject: Subject,
  count: number,
  excluded?: ReadonlySet<string>,
): (string | undefined)[] {
  return Array.from({ length: count }, () => subject.pick(excluded));
}

/** How often each id was picked. */
export function counts(picks: readonly (string | undefined)[]): Record<string, number> {
  const result: Record<string, number> = {};
  for (const id of picks) if (id !== undefined) result[id] = (result[id] ?? 0) + 1;
  return result;
}
