import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouter, type Router } from '@switchyard/ai-route';
import { buildOverlay } from '@switchyard/overlay-contract';
import { tempDir } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlayRouter, SEED_MAX, seededSource } from '../../src/routing/overlay-router.ts';
import { servingOf } from '../../src/routing/serving.ts';
import { simulate } from '../../src/routing/simulate.ts';
import { overlayInput } from '../support/arbitrary-overlay.ts';
import { candidate, load, sample } from '../support/sample.ts';

const MODEL = { kind: 'inference_model', name: 'demo-model' } as const;

describe('overlayRouter', () => {
  it('routes as a gateway does that reads the document from a file', async () => {
    await using dir = await tempDir();
    const overlayFile = join(dir.path, 'routing-overlay.json');
    const property = fc.asyncProperty(overlayInput, fc.nat(), async (input, seed) => {
      const { text } = buildOverlay(input);
      await writeFile(overlayFile, text);
      const knownClusters = ['provider-a', 'provider-b', 'provider-c'];
      const random = (): ReturnType<typeof seededSource> => seededSource(seed);
      const reload = { enabled: false };
      const gateway = await createRouter({ overlayFile, reload, knownClusters, random: random() });
      const ours = await overlayRouter(load(text).overlay, { knownClusters, random: random() });
      expect(behaviour(ours)).toEqual(behaviour(gateway));
      await Promise.all([gateway.close(), ours.close()]);
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

/** Views before, picks, views after: everything but the revision. */
function behaviour(router: Router): unknown {
  const views = [...router.routes()];
  const picks = views.map(({ kind, name }) => {
    const { outcome, candidates } = router.explain({ kind, name });
    return { outcome, candidates, picks: simulate(router, { kind, name }, { picks: 7 }) };
  });
  return { views, picks, after: [...router.routes()] };
}

describe('simulate', () => {
  it('splits round robin exactly and in turn', async () => {
    const result = simulate(await overlayRouter(sample().overlay), MODEL, { picks: 60 });
    if (!result.ok) throw new Error(result.reason);
    const { members, sequence, policy, group } = result.simulation;
    expect({ policy, group }).toEqual({ policy: 'round_robin', group: 0 });
    expect(members.map(({ cluster, count, share }) => [cluster, count, share])).toEqual([
      ['provider-a', 20, 1 / 3],
      ['provider-b', 20, 1 / 3],
      ['provider-c', 20, 1 / 3],
    ]);
    expect(sequence.slice(0, 4).map((member) => member?.cluster.at(-1))).toEqual(['a', 'b', 'c', 'a']);
  });

  it('repeats itself for a seed, and differs for another', async () => {
    const overlay = sample({ selectionPolicy: 'random' }).overlay;
    const draw = async (seed: number): Promise<unknown> =>
      simulate(await overlayRouter(overlay, { random: seededSource(seed) }), MODEL, { picks: 40 });
    expect(await draw(7)).toEqual(await draw(7));
    expect(await draw(7)).not.toEqual(await draw(8));
    expect(await draw(0)).not.toEqual(await draw(SEED_MAX));
  });

  it('counts members that got nothing, and all of them under deterministic', async () => {
    const candidates = ['a', 'b'].map((letter) => candidate(letter));
    const overlay = sample({ selectionPolicy: 'deterministic', candidates }).overlay;
    const result = simulate(await overlayRouter(overlay), MODEL, { picks: 5 });
    expect(result.ok && result.simulation.members.map(({ count }) => count)).toEqual([5, 0]);
  });

  it('says why there are no picks', async () => {
    const router = await overlayRouter(sample().overlay, { knownClusters: [] });
    expect(simulate(router, MODEL, { picks: 3 })).toMatchObject({ ok: false, reason: 'no_viable_candidate' });
    expect(simulate(router, { ...MODEL, name: 'x' }, { picks: 3 })).toMatchObject({
      reason: 'unknown_capability',
    });
  });
});

describe('servingOf', () => {
  it('names the members that share, the one that serves under deterministic, and nobody', async () => {
    const serving = async (more: Parameters<typeof sample>[0], knownClusters?: string[]): Promise<string> => {
      const [view] = (await overlayRouter(sample(more).overlay, { knownClusters })).routes();
      if (view === undefined) return 'none';
      const { group, members } = servingOf(view);
      return `${group} ${members.map(({ cluster }) => cluster.at(-1)).join('')}`;
    };
    expect(await serving({})).toBe('0 abc');
    expect(await serving({}, ['provider-c', 'provider-a'])).toBe('0 ac');
    expect(await serving({ selectionPolicy: 'deterministic' })).toBe('0 a');
    expect(await serving({}, [])).toBe('null ');
  });
});
