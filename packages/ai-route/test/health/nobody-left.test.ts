import type { AdmissionState } from '@switchyard/overlay-contract';
import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { Router } from '../../src/index.ts';
import { endAt, FAILED, viability } from '../support/health-lab.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication } from '../support/overlays.ts';
import { ANSWERED, selectionOf } from '../support/static-router.ts';

const SESSION = { ...MODEL, sessionKey: 's' };
const STATE = { ...MODEL, stateKey: 't' };

/** A router whose candidate a was ejected, with a session and a state there; then c is withdrawn and a is `left`. */
async function withoutC(lab: OverlayLab, left: AdmissionState): Promise<Router> {
  const of = (state: AdmissionState, c: AdmissionState) => [
    at('a', { admission_state: state }),
    at('c', { selection_group: 1, admission_state: c }),
  ];
  await lab.publish(publication({ candidates: of('new_and_existing', 'new_and_existing') }).text);
  const { router, events } = await lab.follow({
    viability,
    clock: new ManualClock(),
    affinity: { enabled: true },
  });
  const bound = selectionOf(router.select(SESSION));
  bound.learn('t');
  bound.end(ANSWERED);
  for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
  expect(router.select(STATE)).toMatchObject({ reason: 'state_unavailable' });
  const next = publication({ candidates: of(left, 'excluded') });
  await lab.publish(next.text);
  await events.accepted(next.revision);
  return router;
}

describe('when a publication leaves nobody but ejected candidates', () => {
  it('the one that serves new requests is not closed to the sessions and states that it holds', async () => {
    await using lab = await OverlayLab.create();
    const router = await withoutC(lab, 'new_and_existing');
    expect(selectionOf(router.select(MODEL)).decision.reason).toBe('last_resort');
    for (const request of [SESSION, STATE]) expect(router.select(request)).toMatchObject({ ok: true });
    expect(router.explain(SESSION).decision).toMatchObject({ affinity: 'reused', reason: 'affinity' });
  });

  it('one that only drains keeps serving its own', async () => {
    await using lab = await OverlayLab.create();
    const router = await withoutC(lab, 'existing_only');
    expect(router.select(MODEL)).toMatchObject({ reason: 'no_viable_candidate' });
    for (const request of [SESSION, STATE]) expect(router.select(request)).toMatchObject({ ok: true });
  });
});
