import type { SelectionPolicy } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RouteResult, Router } from '../../src/index.ts';
import { createDraw, sfc32, splitRandom } from '../../src/random.ts';
import { selectRoute } from '../../src/select/select.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { PickerStates, type RoutingTable } from '../../src/turns/picker-states.ts';
import { MODEL, siteOf } from '../support/overlays.ts';
import { candidate, overlayWith } from '../support/rotation.ts';
import { newService } from '../support/service.ts';
import {
  ANSWERED,
  candidatesOf,
  NO_ENDPOINT,
  nextOf,
  selectionOf,
  staticRouter,
} from '../support/static-router.ts';

const POLICIES: SelectionPolicy[] = [
  'deterministic',
  'round_robin',
  'random',
  'weighted_random',
  'weighted_round_robin',
];

/** Sites of one request in the order tried, until nothing is left. */
function trail(first: RouteResult): string[] {
  const sites: string[] = [];
  for (let result = first; result.ok; ) {
    sites.push(result.selection.decision.candidate.site);
    const next = result.selection.next(NO_ENDPOINT);
    if (!next.ok) {
      result.selection.end(NO_ENDPOINT);
      return sites;
    }
    result = next;
  }
  return sites;
}

const layout = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }).map((sizes) => {
  const letters = [...'abcdefghijkl'];
  return sizes.map((size) => letters.splice(0, size).join(''));
});

describe.each(POLICIES)('retries under %s', (selectionPolicy) => {
  const weight = selectionPolicy.startsWith('weighted') ? { trafficWeight: 3 } : {};
  const routerOf = (groups: readonly string[], attempts: number, known?: string[]): Promise<Router> =>
    staticRouter(candidatesOf(groups, weight), {
      selectionPolicy,
      retry: { attempts },
      ...(known && { knownClusters: known }),
    });

  it('P-D1, P-D2: visit nobody twice, and a worse group only when the better one has nobody left', async () => {
    await fc.assert(
      fc.asyncProperty(layout, fc.integer({ min: 1, max: 12 }), async (groups, attempts) => {
        const router = await routerOf(groups, attempts);
        for (let request = 0; request < 5; request++) {
          const sites = trail(router.select(MODEL));
          expect(new Set(sites).size).toBe(sites.length);
          const order = sites.map((site) => groups.findIndex((group) => group.includes(site)));
          expect(order).toEqual(order.toSorted((a, b) => a - b));
          expect(sites).toHaveLength(Math.min(attempts, groups.join('').length));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('P-D5: end after every viable candidate at the latest, whoever is viable', async () => {
    const sites = 'abcdef';
    for (let mask = 0; mask < 2 ** sites.length; mask++) {
      const viable = [...sites].filter((_, i) => (mask & (1 << i)) !== 0);
      const known = viable.map((site) => `provider-${site}`);
      const router = await routerOf(['abc', 'def'], 100, known);
      expect(trail(router.select(MODEL)).toSorted()).toEqual(viable);
    }
  });

  it('P-D3: first picks are the same with and without retries', async () => {
    const [calm, failing] = await Promise.all([routerOf(['abcd', 'ef'], 6), routerOf(['abcd', 'ef'], 6)]);
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 40 }), (failures) => {
        for (const count of failures) {
          const first = failing.select(MODEL);
          expect(siteOf(first)).toBe(siteOf(calm.select(MODEL)));
          let last = selectionOf(first);
          for (let i = 0; i < count; i++) {
            const next = last.next(NO_ENDPOINT);
            if (next.ok) last = next.selection;
          }
          last.end(ANSWERED);
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** A routing table whose retries may be made to share the first picks' rotation, which is wrong. */
function tableWith(sharedCursor: boolean): RoutingTable {
  const random = sfc32([1, 2, 3, 4]);
  const retryDraw = createDraw(splitRandom(random));
  const states = new PickerStates({ start: { mode: 'first' }, draw: createDraw(random), retryDraw });
  const table = states.adopt(buildSnapshot(overlayWith([...'ab'].map((site) => candidate(site))), undefined));
  if (!sharedCursor) return table;
  return {
    ...table,
    pickersOf: (group) => {
      const { turns } = table.pickersOf(group);
      return { turns, retries: turns };
    },
  };
}

describe('two members, one of which always fails', () => {
  const firstPicks = (sharedCursor: boolean): Record<string, number> => {
    const table = tableWith(sharedCursor);
    const { context } = newService();
    const counts: Record<string, number> = { a: 0, b: 0 };
    for (let request = 0; request < 1000; request++) {
      const result = selectRoute(
        { kind: 'inference_model', name: 'm' },
        { ...context, current: () => table },
      );
      const site = siteOf(result);
      counts[site] = (counts[site] ?? 0) + 1;
      const first = selectionOf(result);
      (site === 'a' ? nextOf(first) : first).end(ANSWERED);
    }
    return counts;
  };

  it('each get exactly half of the first picks', () => {
    expect(firstPicks(false)).toEqual({ a: 500, b: 500 });
  });

  it('is violated by a rotation shared with retries: every request starts at the failing one', () => {
    expect(firstPicks(true)).toEqual({ a: 1000, b: 0 });
  });
});

describe('P-D4: retries spread evenly over those that do not fail', () => {
  it.each([
    [8, 1],
    [8, 3],
    [5, 2],
    [3, 1],
  ])('%d members, %d of them failing', async (size, failing) => {
    const sites = 'abcdefgh'.slice(0, size);
    const router = await staticRouter(candidatesOf([sites]), { retry: { attempts: size } });
    const retried: Record<string, number> = {};
    for (let request = 0; request < 40 * size; request++) {
      let attempt = selectionOf(router.select(MODEL));
      while (sites.indexOf(attempt.decision.candidate.site) < failing) {
        attempt = nextOf(attempt);
        const { site } = attempt.decision.candidate;
        retried[site] = (retried[site] ?? 0) + 1;
      }
      attempt.end(ANSWERED);
    }
    const healthy = [...sites].slice(failing).map((site) => retried[site] ?? 0);
    expect(Math.max(...healthy) - Math.min(...healthy)).toBeLessThanOrEqual(1);
  });
});
