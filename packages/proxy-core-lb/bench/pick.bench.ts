import { seededRandom } from '@switchyard/test-kit';
import { bench, describe } from 'vitest';
import { BALANCING_POLICIES, type BalancingPolicyName, type Cluster, createCluster } from '../src/index.ts';

// Each case picks and releases in batches, so that the clock's own cost does not drown a pick.
const BATCH = 1000;

function cluster(policy: BalancingPolicyName, size: number, weight: (n: number) => number): Cluster {
  const endpoints = Array.from({ length: size }, (_, n) => ({ address: `http://e${n}`, weight: weight(n) }));
  return createCluster({ name: 'bench', policy, endpoints, random: seededRandom(1) });
}

function pickBatch(target: Cluster, excluded?: ReadonlySet<string>): void {
  for (let n = 0; n < BATCH; n++) {
    const result = target.pick(excluded);
    if (result.kind === 'picked') result.lease.release();
  }
}

for (const size of [3, 16, 128, 1024]) {
  describe(`${BATCH} picks and releases, ${size} endpoints`, () => {
    const addresses = Array.from({ length: size }, (_, n) => `http://e${n}`);
    let counter = 0;
    let sink = '';
    bench('floor: counter % n, no lease', () => {
      for (let n = 0; n < BATCH; n++) sink = addresses[counter++ % size] ?? sink;
    });
    for (const policy of BALANCING_POLICIES) {
      const equal = cluster(policy, size, () => 1);
      bench(`${policy}, equal weights`, () => pickBatch(equal));
      const weighted = cluster(policy, size, (n) => 1 + ((n * 7) % 10));
      bench(`${policy}, weights 1 to 10`, () => pickBatch(weighted));
      const retried = cluster(policy, size, () => 1);
      const excluded = new Set(['http://e0']);
      bench(`${policy}, a retry`, () => pickBatch(retried, excluded));
    }
  });
}
