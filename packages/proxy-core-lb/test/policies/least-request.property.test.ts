import { expectCaught, seededRandom } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCluster, type Lease, type LeaseOutcome } from '../../src/index.ts';
import { LeastRequest } from '../../src/policies/least-request.ts';
import { createPool } from '../../src/policies/policy.ts';
import { boundedDraw, type Random } from '../../src/random.ts';
import { firstTie } from '../bad-pickers.ts';
import { clusterSubject, counts, type MakeSubject, members, take } from '../subject.ts';

const leastRequest = clusterSubject('least_request');

/** Chooses by load alone: the index picked from these loads. */
type Choose = (loads: readonly number[], weights: readonly number[], random: Random) => number;

const choose: Choose = (loads, weights, random) => {
  const policy = new LeastRequest(0, random);
  const entries = loads.map((active, i) => ({ id: members(i + 1)[i]?.id ?? '', active }));
  policy.rebuild(createPool(entries, weights));
  return policy.pick(undefined);
};

describe('P-H1 active requests', () => {
  type Step = { kind: 'pick' | 'release' | 'again' | 'update'; at: number; outcome: LeaseOutcome };
  const step: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('pick', 'pick', 'release', 'again', 'update'),
    at: fc.nat(100),
    outcome: fc.constantFrom<LeaseOutcome>('success', 'failure', 'canceled'),
  });

  /** Keeps its own count of the leases out, and compares after each step. */
  function play(steps: readonly Step[]): void {
    const all = members(4).map((member) => ({ ...member, address: member.id }));
    const cluster = createCluster({
      name: 'c',
      policy: 'least_request',
      endpoints: all,
      random: seededRandom(1),
    });
    const out: Lease[] = [];
    const done: Lease[] = [];
    const check = (): void => {
      for (const { id, activeRequests } of cluster.snapshot()) {
        expect(activeRequests).toBe(out.filter((lease) => lease.endpoint.id === id).length);
      }
    };
    for (const { kind, at, outcome } of steps) {
      if (kind === 'pick') {
        const result = cluster.pick(at % 3 === 0 ? new Set(['m000']) : undefined);
        if (result.kind === 'picked') out.push(result.lease);
      } else if (kind === 'release' && out.length > 0) {
        const [lease] = out.splice(at % out.length, 1);
        lease?.release(outcome);
        if (lease !== undefined) done.push(lease);
      } else if (kind === 'again' && done.length > 0) {
        done[at % done.length]?.release(outcome);
      } else if (kind === 'update') {
        cluster.update(all.filter((_, i) => ((at >> i) & 1) === 0));
      }
      check();
    }
    cluster.update(all);
    for (const lease of out.splice(0)) lease.release();
    check();
  }

  it('equal the leases out at all times, and return to zero', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => play(steps)),
      { numRuns: 300 },
    );
  });
});

/** P-H2: requests one after the other visit all members alike, and ties go round among the tied. */
function fairTies(make: MakeSubject): void {
  for (const n of [2, 3, 7, 32]) {
    const picks = take(make(members(n)), n * 5);
    expect(Object.values(counts(picks))).toEqual(Array.from({ length: n }, () => 5));
  }
}

describe('P-H2 ties', () => {
  it('go round', () => fairTies(leastRequest));

  it('do not when the first in the list wins', () => {
    expectCaught(() => fairTies(firstTie));
  });

  it('are shared by those that are tied, past one that is busy', () => {
    const endpoints = members(4).map((member) => ({ ...member, address: member.id }));
    const cluster = createCluster({ name: 'c', policy: 'least_request', endpoints });
    const busy = cluster.pick();
    const picks = Array.from({ length: 30 }, () => {
      const result = cluster.pick();
      if (result.kind === 'none') return undefined;
      result.lease.release();
      return result.lease.endpoint.id;
    });
    expect(busy.kind).toBe('picked');
    expect(counts(picks)).toEqual({ m001: 10, m002: 10, m003: 10 });
  });

  it('go round after an update too', () => {
    const subject = leastRequest(members(3));
    take(subject, 1);
    subject.update(members(4));
    expect(take(subject, 4)).toEqual(['m001', 'm002', 'm003', 'm000']);
  });
});

/** P-H3: the picked one has the least (active + 1) / weight, compared without rounding. */
function exactComparison(pick: Choose): void {
  const one = fc.record({ load: fc.nat(1000), weight: fc.integer({ min: 1, max: 1_000_000 }) });
  const property = fc.property(fc.array(one, { minLength: 1, maxLength: 32 }), (list) => {
    const loads = list.map(({ load }) => load);
    const weights = list.map(({ weight }) => weight);
    const index = pick(loads, weights, seededRandom(1));
    const picked = list[index];
    expect(picked).toBeDefined();
    for (const other of list) {
      const mine = BigInt((picked?.load ?? 0) + 1) * BigInt(other.weight);
      expect(mine <= BigInt(other.load + 1) * BigInt(picked?.weight ?? 1)).toBe(true);
    }
  });
  fc.assert(property, { numRuns: 500 });
}

describe('P-H3 weighted load', () => {
  it('is compared exactly', () => exactComparison(choose));

  it('is not when weights are ignored', () => {
    expectCaught(() => exactComparison((loads) => loads.indexOf(Math.min(...loads))));
  });
});

/**
 * P-C6: all ordered pairs of draws are tried. With loads 0 and 1 for two members and 2 for the rest, the first wins
 * in every pair with it, and the second in every pair with it but the one with the first: that counts the pairs.
 */
function equalPairs(pick: Choose, combinations: (n: number) => Iterable<readonly [number, number]>): void {
  const n = 33;
  const weights = Array.from({ length: n }, () => 1);
  for (const [light, middle] of [
    [0, 1],
    [1, 0],
    [0, 32],
    [32, 31],
    [5, 20],
    [20, 21],
    [31, 5],
  ] as const) {
    const loads = weights.map((_, i) => (i === light ? 0 : i === middle ? 1 : 2));
    let [wins, seconds, all] = [0, 0, 0];
    for (const pair of combinations(n)) {
      const draws = [...pair];
      const index = pick(loads, weights, () => draws.shift() ?? 0);
      if (index === light) wins++;
      if (index === middle) seconds++;
      all++;
    }
    expect(wins * n).toBe(2 * all);
    expect(seconds * n * (n - 1)).toBe(2 * (n - 2) * all);
  }
}

function* pairs(first: number, second: number): Generator<readonly [number, number]> {
  for (let a = 0; a < first; a++) for (let b = 0; b < second; b++) yield [a, b];
}

describe('P-C6 two choices', () => {
  it('are distinct, every pair equally likely', () => {
    equalPairs(choose, (n) => pairs(n, n - 1));
  });

  it.each<[string, (a: number, b: number, n: number) => number]>([
    ['with replacement', (_, b) => b],
    ['shifted on collision', (a, b, n) => (a === b ? (b + 1) % n : b)],
  ])('are not when drawn %s', (_name, second) => {
    const planted: Choose = (loads, _weights, random) => {
      const a = boundedDraw(random, loads.length);
      const b = second(a, boundedDraw(random, loads.length), loads.length);
      return (loads[b] ?? 0) < (loads[a] ?? 0) ? b : a;
    };
    expectCaught(() => equalPairs(planted, (n) => pairs(n, n)));
  });

  it('prefer the lighter one, and share evenly at rest', () => {
    const subject = leastRequest(members(40), { random: seededRandom(3) });
    const values = Object.values(counts(take(subject, 40_000)));
    expect(values).toHaveLength(40);
    for (const value of values) expect(Math.abs(value - 1000)).toBeLessThan(200);
  });
});
