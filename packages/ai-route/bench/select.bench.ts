// What a request pays for its routing decision, by policy, group size and number of capabilities.
// Run: pnpm exec vitest bench --run --project unit packages/ai-route
import { bench, describe } from 'vitest';
import {
  type AttemptOutcome,
  createRouter,
  type Router,
  type StaticCandidate,
  type StaticRouterOptions,
} from '../src/index.ts';
import { createPicker } from '../src/pickers/create-picker.ts';
import { createDraw, sfc32 } from '../src/random.ts';
import { buildSnapshot } from '../src/snapshot/build-snapshot.ts';
import { candidate, groupsOf, newStates, overlayWith } from '../test/support/rotation.ts';

const ANSWERED: AttemptOutcome = { result: 'answered' };
const POLICIES = ['round_robin', 'random', 'weighted_random', 'weighted_round_robin'] as const;

describe.each([3, 64, 1024])('a pick among %d members', (size) => {
  for (const policy of POLICIES) {
    const weighted = policy.startsWith('weighted');
    const candidates = Array.from({ length: size }, (_, i) =>
      candidate(`s${i}`, weighted ? { trafficWeight: (i % 3) + 1 } : {}),
    );
    const [group] = groupsOf(buildSnapshot(overlayWith(candidates, policy), undefined));
    if (group === undefined) throw new Error('no group');
    const picker = createPicker(group, 0, createDraw(sfc32([1, 2, 3, 4])));
    bench(policy, () => {
      for (let i = 0; i < 1000; i++) picker.pick(group.open);
    });
  }
});

describe.each([1, 100, 10_000])(
  'a decision and its end with %d capabilities of 3 (1,000 per iteration)',
  async (capabilities) => {
    const names = Array.from({ length: capabilities }, (_, i) => `model-${i}`);
    const plain = await routerOf(names, {});
    const bound = await routerOf(names, { affinity: { enabled: true } });
    const stateless = await routerOf(names, { affinity: { enabled: true, mode: 'rendezvous' } });
    const ailing = await routerOf(names, {
      viability: { consecutiveFailures: 1, ejectionMs: 3_600_000, maxEjectionMs: 3_600_000 },
    });
    for (const name of names) {
      const result = ailing.select({ kind: 'inference_model', name });
      if (result.ok) result.selection.end({ result: 'reset' });
    }
    const requests = Array.from({ length: 1000 }, (_, i) => ({
      kind: 'inference_model' as const,
      name: names[(i * 7919) % capabilities] ?? '',
      sessionKey: `session-${i}`,
    }));
    const decideAll = (router: Router): void => {
      for (const request of requests) {
        const result = router.select(request);
        if (result.ok) result.selection.end(ANSWERED);
      }
    };
    bench('without affinity', () => decideAll(plain));
    bench('with a bound session', () => decideAll(bound));
    bench('with a session of mode rendezvous', () => decideAll(stateless));
    bench('with one of three ejected', () => decideAll(ailing));
  },
);

describe('taking over an overlay of 10,000 candidates', () => {
  const candidates = Array.from({ length: 10_000 }, (_, i) =>
    candidate(`s${i % 16}`, { name: `m${i >> 4}`, stableId: `id-${i}` }),
  );
  const overlay = overlayWith(candidates);
  bench('index', () => void buildSnapshot(overlay, undefined));
  const states = newStates();
  const snapshot = buildSnapshot(overlay, undefined);
  bench('carry rotations over', () => void states.adopt(snapshot));
});

function routerOf(
  names: readonly string[],
  options: Pick<StaticRouterOptions, 'affinity' | 'viability'>,
): Promise<Router> {
  const candidates = names.flatMap((name): StaticCandidate[] =>
    ['a', 'b', 'c'].map((site) => ({
      kind: 'inference_model',
      name,
      site,
      cluster: `provider-${site}`,
      selectionGroup: 0,
    })),
  );
  return createRouter({ ...options, candidates, localSite: 'here', selectionPolicy: 'round_robin' });
}
