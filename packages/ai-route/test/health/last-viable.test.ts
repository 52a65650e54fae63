import { ManualClock } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endAt, FAILED, healthOf, routerOf, served, viability } from '../support/health-lab.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';
import { ANSWERED, selectionOf } from '../support/static-router.ts';

describe('the last viable candidate', () => {
  it('is never ejected: neither for failures nor by Retry-After', async () => {
    const { router } = await routerOf(['a']);
    for (let i = 0; i < 50; i++)
      endAt(router, 'a', { result: 'status_503', ...(i > 25 && { retryAfterMs: 5000 }) });
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { state: 'well' } });
    expect(siteOf(router.select(MODEL))).toBe('a');
  });

  it('counts over all groups, without those that are out, drained or unknown', async () => {
    const { router } = await routerOf(['ab', 'c'], { knownClusters: ['provider-a', 'provider-c'] });
    for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
    for (let i = 0; i < 9; i++) endAt(router, 'c', FAILED);
    expect(router.traffic().ejected.map(({ site }) => site)).toEqual(['a']);
  });

  it('P-H4: is left over for every number of candidates and any order of failing', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat(7), { maxLength: 60 }),
        async (size, failing) => {
          const sites = 'abcdefgh'.slice(0, size);
          const { router } = await routerOf([sites], { viability: { ...viability, consecutiveFailures: 1 } });
          for (const which of failing) {
            const selection = selectionOf(router.select(MODEL));
            selection.end(selection.decision.candidate.site === sites[which % size] ? FAILED : ANSWERED);
            expect(router.traffic().ejected.length).toBeLessThan(size);
            expect(selection.decision.reason).toBe('round_robin');
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('when a publication leaves nobody but ejected ones, the least bad serves and the decision says so', async () => {
    await using lab = await OverlayLab.create();
    const clock = new ManualClock();
    await lab.publish(publication({ candidates: [at('a'), at('b'), at('c')] }).text);
    const { router, events } = await lab.follow({ viability, clock });
    for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
    clock.advance(500);
    for (let i = 0; i < 2; i++) endAt(router, 'b', FAILED);
    const worst = publication({
      candidates: [at('b'), at('a'), at('c', { selection_group: 1, admission_state: 'excluded' })],
    });
    await lab.publish(worst.text);
    await events.accepted(worst.revision);
    expect(router.explain(MODEL).decision).toMatchObject({ candidate: { site: 'a' }, reason: 'last_resort' });
    const selection = selectionOf(router.select(MODEL));
    expect(selection.decision).toMatchObject({
      candidate: { site: 'a' },
      reason: 'last_resort',
      skipped: [
        { stableId: 'id-b', reason: 'ejected' },
        { stableId: 'id-c', reason: 'excluded' },
      ],
    });
    expect([...router.routes()]).toMatchObject([
      { routable: true, groups: [{ active: true }, { active: false }] },
    ]);
    // It fails as well, so the other one is the least bad now; a success brings it back at once.
    selection.end(FAILED);
    endAt(router, 'b', ANSWERED);
    expect(served(router, 2)).toBe('bb');
  });
});
