import { describe, expect, it } from 'vitest';
import type { RouteResult } from '../../src/index.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';
import { ANSWERED, candidatesOf, NO_ENDPOINT, selectionOf, staticRouter } from '../support/static-router.ts';

const sitesOf = (picks: number, select: () => RouteResult): string =>
  Array.from({ length: picks }, () => siteOf(select())).join('');

describe('selecting', () => {
  it('goes to the best group with a viable member, and to no other', async () => {
    const groups = candidatesOf(['ab', 'cd', 'ef']);
    const router = await staticRouter(groups, { knownClusters: ['provider-d', 'provider-e', 'provider-f'] });
    expect(sitesOf(4, () => router.select(MODEL))).toBe('dddd');
  });

  it('records the decision', async () => {
    const candidates = candidatesOf(['ab', 'c']).map((one, rank) => ({ ...one, rank }));
    const router = await staticRouter(candidates, { knownClusters: ['provider-b', 'provider-c'] });
    const revision = router.status().servingRevision;
    expect(revision).toMatch(/^[0-9a-f]{64}$/);
    expect(selectionOf(router.select(MODEL)).decision).toEqual({
      policy: 'round_robin',
      group: 0,
      candidate: { ...MODEL, site: 'b', cluster: 'provider-b', stableId: 'id-b', rank: 1 },
      admissionState: 'new_and_existing',
      acceptedRevision: revision,
      servingRevision: revision,
      affinity: 'disabled',
      attempt: 1,
      reason: 'round_robin',
      fallthrough: false,
      skipped: [
        { stableId: 'id-a', cluster: 'provider-a', reason: 'unknown_cluster' },
        { stableId: 'id-c', cluster: 'provider-c', reason: 'lower_group' },
      ],
    });
  });

  it('records each retry', async () => {
    const router = await staticRouter(candidatesOf(['ab', 'c']));
    const first = selectionOf(router.select(MODEL));
    const second = first.next(NO_ENDPOINT);
    const third = second.ok ? second.selection.next(NO_ENDPOINT) : second;
    const fourth = third.ok ? third.selection.next(NO_ENDPOINT) : third;
    expect(second).toMatchObject({
      selection: {
        decision: {
          candidate: { site: 'b' },
          attempt: 2,
          fallthrough: false,
          skipped: [
            { stableId: 'id-a', reason: 'already_tried' },
            { stableId: 'id-c', reason: 'lower_group' },
          ],
        },
      },
    });
    expect(third).toMatchObject({
      selection: { decision: { candidate: { site: 'c' }, attempt: 3, group: 1, fallthrough: true } },
    });
    expect(fourth).toMatchObject({ ok: false, reason: 'attempts_exhausted' });
  });

  it('tells a budget that is spent from candidates that are', async () => {
    const router = await staticRouter(candidatesOf(['ab']), { retry: { attempts: 3 } });
    const second = selectionOf(router.select(MODEL)).next(NO_ENDPOINT);
    expect(second.ok && second.selection.next(NO_ENDPOINT)).toMatchObject({
      ok: false,
      reason: 'no_viable_candidate',
    });
    const once = await staticRouter(candidatesOf(['ab']), { retry: { attempts: 1 } });
    expect(selectionOf(once.select(MODEL)).next(NO_ENDPOINT)).toMatchObject({
      ok: false,
      reason: 'attempts_exhausted',
    });
  });

  it('offers nothing more once the outcome is known', async () => {
    const router = await staticRouter(candidatesOf(['ab']));
    const selection = selectionOf(router.select(MODEL));
    selection.end(ANSWERED);
    selection.end(NO_ENDPOINT);
    expect(selection.next(NO_ENDPOINT)).toMatchObject({ ok: false, reason: 'attempts_exhausted' });
  });

  it.each([
    ['another name', { ...MODEL, name: 'Demo-model' }],
    ['another kind', { ...MODEL, kind: 'mcp_tool' as const }],
  ])('knows no capability of %s', async (_what, request) => {
    const router = await staticRouter(candidatesOf(['ab']));
    expect(router.select(request)).toMatchObject({ ok: false, reason: 'unknown_capability', skipped: [] });
  });

  it('P-F7: sends nobody new to existing_only or excluded, and says so', async () => {
    const candidates = [
      ...candidatesOf(['a'], { admissionState: 'existing_only' }),
      ...candidatesOf(['', 'b'], { admissionState: 'excluded' }),
    ];
    const router = await staticRouter(candidates);
    expect(router.select(MODEL)).toMatchObject({
      ok: false,
      reason: 'no_viable_candidate',
      skipped: [
        { stableId: 'id-a', reason: 'existing_only' },
        { stableId: 'id-b', reason: 'excluded' },
      ],
    });
  });

  it('serves candidates without groups in their order', async () => {
    const candidates = candidatesOf(['ba']).map(({ selectionGroup: _, ...rest }) => rest);
    const router = await staticRouter(candidates, { selectionPolicy: 'deterministic' });
    const first = selectionOf(router.select(MODEL));
    expect(first.decision).toMatchObject({ candidate: { site: 'b' }, group: null, reason: 'first_in_order' });
    expect(first.next(NO_ENDPOINT)).toMatchObject({
      selection: { decision: { candidate: { site: 'a' }, fallthrough: false } },
    });
  });
});

describe('P-D7, P-E4: a request that is under way during a reload', () => {
  it('keeps the order of its own snapshot, but passes over who was withdrawn meanwhile', async () => {
    await using lab = await OverlayLab.create();
    const before = publication({ candidates: [...'abcd'].map((site) => at(site)) });
    await lab.publish(before.text);
    const { router, events } = await lab.follow({ retry: { attempts: 4 } });
    const first = selectionOf(router.select(MODEL));
    const after = publication({
      candidates: [
        at('d'),
        at('b', { admission_state: 'existing_only', selection_group: 1 }),
        at('e', { selection_group: 2 }),
      ],
    });
    await lab.publish(after.text);
    await events.accepted(after.revision);
    const second = first.next(NO_ENDPOINT);
    expect(second).toMatchObject({
      selection: {
        decision: {
          candidate: { site: 'd' },
          attempt: 2,
          acceptedRevision: after.revision,
          servingRevision: before.revision,
          skipped: [
            { stableId: 'id-a', reason: 'already_tried' },
            { stableId: 'id-b', reason: 'existing_only' },
            { stableId: 'id-c', reason: 'excluded' },
          ],
        },
      },
    });
    expect(second.ok && second.selection.next(NO_ENDPOINT)).toMatchObject({
      ok: false,
      reason: 'no_viable_candidate',
    });
    expect(router.select(MODEL)).toMatchObject({
      selection: { decision: { acceptedRevision: after.revision, servingRevision: after.revision } },
    });
  });
});

describe('explaining', () => {
  it.each(['round_robin', 'deterministic', 'weighted_round_robin'] as const)(
    'under %s tells what a request would get, and changes nothing',
    async (selectionPolicy) => {
      const weight = selectionPolicy === 'weighted_round_robin' ? { trafficWeight: 2 } : {};
      const router = await staticRouter(candidatesOf(['abc', 'd'], weight), { selectionPolicy });
      for (let request = 0; request < 7; request++) {
        const told = router.explain(MODEL);
        Array.from(router.routes());
        expect(router.explain(MODEL)).toEqual(told);
        expect(selectionOf(router.select(MODEL)).decision).toEqual(told.decision);
      }
    },
  );

  it('gives every candidate its verdict', async () => {
    const router = await staticRouter(candidatesOf(['abc', 'd']), {
      knownClusters: ['provider-b', 'provider-c', 'provider-d'],
    });
    const { outcome, candidates } = router.explain(MODEL);
    expect(outcome).toBe('decided');
    expect(candidates.map(({ stableId, verdict }) => [stableId, verdict])).toEqual([
      ['id-a', 'unknown_cluster'],
      ['id-b', 'chosen'],
      ['id-c', 'eligible'],
      ['id-d', 'lower_group'],
    ]);
  });

  it('does not pretend to know what chance will decide', async () => {
    const router = await staticRouter(candidatesOf(['ab']), { selectionPolicy: 'random' });
    expect(router.explain(MODEL)).toMatchObject({
      outcome: 'drawn_at_random',
      decision: null,
      candidates: [{ verdict: 'eligible' }, { verdict: 'eligible' }],
    });
  });

  it('says when there is nothing to explain', async () => {
    const router = await staticRouter(candidatesOf(['ab']), { knownClusters: [] });
    expect(router.explain(MODEL)).toMatchObject({ outcome: 'no_viable_candidate', decision: null });
    expect(router.explain({ ...MODEL, name: 'x' })).toMatchObject({
      outcome: 'unknown_capability',
      candidates: [],
    });
  });
});

describe('viewing the routes', () => {
  it('shows capabilities, groups, members and whose turn is next', async () => {
    const router = await staticRouter(candidatesOf(['ab', 'c']), {
      knownClusters: ['provider-a', 'provider-b'],
    });
    router.select(MODEL);
    expect([...router.routes()]).toMatchObject([
      {
        ...MODEL,
        policy: 'round_robin',
        routable: true,
        groups: [
          { group: 0, active: true, nextTurn: 'id-b', members: [{ viable: true }, { viable: true }] },
          {
            group: 1,
            active: false,
            nextTurn: null,
            members: [{ viable: false, reason: 'unknown_cluster' }],
          },
        ],
      },
    ]);
  });

  it('reports a static router as such', async () => {
    const router = await staticRouter(candidatesOf(['ab']), { knownClusters: ['provider-a'] });
    expect(router.status()).toMatchObject({
      mode: 'static',
      sourcePath: null,
      candidateCount: 2,
      watch: 'off',
      unknownClusters: ['provider-b'],
    });
    await router.close();
  });
});
