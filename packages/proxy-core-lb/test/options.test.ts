import { describe, expect, it } from 'vitest';
import { ClusterOptionsError, createCluster, TOTAL_WEIGHT_MAX, WEIGHT_MAX } from '../src/index.ts';

function issuesOf(options: object): string[] {
  try {
    createCluster({ name: 'c', endpoints: [], ...options } as Parameters<typeof createCluster>[0]);
  } catch (error) {
    if (!(error instanceof ClusterOptionsError)) throw error;
    expect(error.code).toBe(error.issues[0]?.code);
    return error.issues.map((issue) => `${issue.code} ${issue.path}`);
  }
  return [];
}

const withWeight = (weight: unknown): object => ({ endpoints: [{ address: 'a', weight }] });

describe('P-B7: weights', () => {
  it.each([Number.NaN, -1, 1.5, '2', Number.POSITIVE_INFINITY, WEIGHT_MAX + 1, null])(
    'refuses %s',
    (weight) => {
      expect(issuesOf(withWeight(weight))).toEqual(['invalid_weight endpoints[0].weight']);
    },
  );

  it.each([undefined, 0, 1, WEIGHT_MAX])('accepts %s', (weight) => {
    expect(issuesOf(withWeight(weight))).toEqual([]);
  });

  it('adds them up without overflow', () => {
    const many = Array.from({ length: 2148 }, (_, n) => ({ address: `a${n}`, weight: WEIGHT_MAX }));
    expect(issuesOf({ endpoints: many })).toEqual(['total_weight_too_large endpoints']);
    expect(issuesOf({ endpoints: many.slice(1) })).toEqual([]);
    expect(2147 * WEIGHT_MAX).toBeLessThanOrEqual(TOTAL_WEIGHT_MAX);
  });
});

describe('options', () => {
  it('P-A9: refuses a duplicate id, naming both places', () => {
    const endpoints = [{ address: 'x' }, { address: 'y' }, { id: 'x', address: 'z' }];
    expect(issuesOf({ endpoints })).toEqual(['duplicate_id endpoints[2].id']);
    expect(() => createCluster({ name: 'c', endpoints })).toThrow(/"x" is the id of endpoints\[0\] too/);
  });

  it.each([
    [{ name: ' ' }, 'invalid_name name'],
    [{ policy: 'fastest' }, 'invalid_policy policy'],
    [{ startOffset: -1 }, 'invalid_start_offset startOffset'],
    [{ startOffset: 0.5 }, 'invalid_start_offset startOffset'],
    [{ random: 4 }, 'invalid_random random'],
    [{ endpoints: undefined }, 'invalid_endpoints endpoints'],
    [{ endpoints: [null] }, 'invalid_endpoints endpoints[0]'],
    [{ endpoints: ['http://a'] }, 'invalid_endpoints endpoints[0]'],
    [{ endpoints: [{ address: '' }] }, 'invalid_address endpoints[0].address'],
    [{ endpoints: [{ id: ' ', address: 'a' }] }, 'invalid_id endpoints[0].id'],
  ])('refuses %o', (options, issue) => {
    expect(issuesOf(options)).toEqual([issue]);
  });

  it('reports all issues at once', () => {
    expect(
      issuesOf({ name: '', policy: 'x', endpoints: [{ address: 1 }, { address: 'b', weight: -1 }] }),
    ).toEqual([
      'invalid_name name',
      'invalid_policy policy',
      'invalid_address endpoints[0].address',
      'invalid_weight endpoints[1].weight',
    ]);
  });
});
