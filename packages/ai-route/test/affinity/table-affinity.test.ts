import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { RouteRequest, Router } from '../../src/index.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';
import { ANSWERED, candidatesOf, NO_ENDPOINT, selectionOf, staticRouter } from '../support/static-router.ts';

const SESSION: RouteRequest = { ...MODEL, sessionKey: 'session-1' };
const affinity = { enabled: true };

/** What a request gets that succeeds at once. */
function succeed(router: Router, request: RouteRequest = SESSION): string {
  const selection = selectionOf(router.select(request));
  selection.end(ANSWERED);
  return `${selection.decision.candidate.site} ${selection.decision.affinity}`;
}

describe('a session', () => {
  it('stays with the provider that served it, and looks at nobody else', async () => {
    const router = await staticRouter(candidatesOf(['abc', 'd']), { affinity });
    expect(succeed(router)).toBe('a created');
    expect(succeed(router)).toBe('a reused');
    expect(selectionOf(router.select(SESSION)).decision).toMatchObject({
      reason: 'affinity',
      skipped: [],
      attempt: 1,
    });
  });

  it('P-A6: does not move a turn when it is reused', async () => {
    const [plain, mixed] = await Promise.all([
      staticRouter(candidatesOf(['abc'])),
      staticRouter(candidatesOf(['abc']), { affinity }),
    ]);
    plain.select(MODEL);
    succeed(mixed);
    for (let i = 0; i < 9; i++) {
      for (let hits = 0; hits < i; hits++) expect(succeed(mixed)).toBe('a reused');
      expect(siteOf(mixed.select(MODEL))).toBe(siteOf(plain.select(MODEL)));
    }
  });

  it('P-F5: is bound per capability', async () => {
    const other = candidatesOf(['xyz'], { name: 'other-model' });
    const router = await staticRouter([...candidatesOf(['abc']), ...other], { affinity });
    const otherSession = { ...SESSION, name: 'other-model' };
    for (let round = 0; round < 3; round++) {
      expect(succeed(router)).toBe(`a ${round === 0 ? 'created' : 'reused'}`);
      expect(succeed(router, otherSession)).toBe(`x ${round === 0 ? 'created' : 'reused'}`);
    }
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['longer than 256 bytes', 'é'.repeat(129)],
  ])('P-F8: with a key that is %s is none', async (_what, sessionKey) => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    expect(succeed(router, { ...MODEL, sessionKey })).toBe('a disabled');
    expect(succeed(router, { ...MODEL, sessionKey })).toBe('b disabled');
  });

  it('P-F8: may have a key of exactly 256 bytes', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    const request = { ...MODEL, sessionKey: 'é'.repeat(128) };
    expect([succeed(router, request), succeed(router, request)]).toEqual(['a created', 'a reused']);
  });

  it('is none when affinity is off', async () => {
    const router = await staticRouter(candidatesOf(['abc']), {
      affinity: { enabled: false, ttlSeconds: 60 },
    });
    expect([succeed(router), succeed(router)]).toEqual(['a disabled', 'b disabled']);
  });

  it('P-F9: ends when it has not been used for its time to live', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abc']), {
      affinity: { enabled: true, ttlSeconds: 60 },
      clock,
    });
    succeed(router);
    clock.advance(59_999);
    expect(succeed(router)).toBe('a reused');
    clock.advance(59_999);
    expect(succeed(router)).toBe('a reused');
    clock.advance(60_000);
    expect(succeed(router)).toBe('b created');
  });

  it('is explained without being used', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abc']), {
      affinity: { enabled: true, ttlSeconds: 60 },
      clock,
    });
    succeed(router);
    clock.advance(40_000);
    expect(router.explain(SESSION).decision).toMatchObject({ affinity: 'reused', candidate: { site: 'a' } });
    clock.advance(30_000);
    expect(router.explain(SESSION).decision).toMatchObject({ affinity: 'created', candidate: { site: 'b' } });
  });
});

describe('a session whose request fails', () => {
  it('is left unbound by a first attempt that did not succeed', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    selectionOf(router.select(SESSION)).end(NO_ENDPOINT);
    expect(succeed(router)).toBe('b created');
  });

  it('is bound to the attempt that succeeded', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    const retry = selectionOf(router.select(SESSION)).next(NO_ENDPOINT);
    if (!retry.ok) throw new Error(retry.reason);
    expect(retry.selection.decision).toMatchObject({ candidate: { site: 'b' }, affinity: 'created' });
    retry.selection.end(ANSWERED);
    expect(succeed(router)).toBe('b reused');
  });

  it('moves when a retry elsewhere succeeded, and only then', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    succeed(router);
    const failed = selectionOf(router.select(SESSION)).next(NO_ENDPOINT);
    if (!failed.ok) throw new Error(failed.reason);
    expect(failed.selection.decision).toMatchObject({ affinity: 'failed_over', candidate: { site: 'b' } });
    failed.selection.end(NO_ENDPOINT);
    expect(succeed(router)).toBe('a reused');
    const moved = selectionOf(router.select(SESSION)).next(NO_ENDPOINT);
    if (!moved.ok) throw new Error(moved.reason);
    moved.selection.end(ANSWERED);
    expect(succeed(router)).toBe(`${moved.selection.decision.candidate.site} reused`);
  });
});

describe('two first requests of one session at once', () => {
  it('land on one provider', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    const [one, two] = [selectionOf(router.select(SESSION)), selectionOf(router.select(SESSION))];
    expect([one.decision, two.decision]).toMatchObject([
      { candidate: { site: 'a' }, affinity: 'created' },
      { candidate: { site: 'a' }, affinity: 'reused' },
    ]);
    two.end(ANSWERED);
    one.end(NO_ENDPOINT);
    expect(succeed(router)).toBe('a reused');
  });

  it('land on the provider that one of them was moved to', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    const [first, second] = [selectionOf(router.select(SESSION)), selectionOf(router.select(SESSION))];
    expect(second.next(NO_ENDPOINT)).toMatchObject({ selection: { decision: { candidate: { site: 'b' } } } });
    expect(selectionOf(router.select(SESSION)).decision).toMatchObject({
      candidate: { site: 'b' },
      affinity: 'reused',
    });
    // That the other one fails where the session no longer is changes nothing.
    first.end(NO_ENDPOINT);
    expect(succeed(router)).toBe('b reused');
  });

  it('do not undo each other: a late success leaves alone where the session went meanwhile', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity });
    const late = selectionOf(router.select(SESSION));
    const retry = selectionOf(router.select(SESSION)).next(NO_ENDPOINT);
    if (!retry.ok) throw new Error(retry.reason);
    retry.selection.end(ANSWERED);
    late.end(ANSWERED);
    expect(succeed(router)).toBe('b reused');
  });
});

describe('P-F7: admission and sessions', () => {
  it('existing_only keeps its sessions and takes no others; excluded keeps none; coming back moves nobody', async () => {
    await using lab = await OverlayLab.create();
    const [open, draining, gone] = [
      publication({ candidates: [at('a'), at('b')] }),
      publication({
        candidates: [at('b'), at('a', { selection_group: 1, admission_state: 'existing_only' })],
      }),
      publication({ candidates: [at('b'), at('a', { selection_group: 1, admission_state: 'excluded' })] }),
    ];
    await lab.publish(open.text);
    const { router, events } = await lab.follow({ affinity });
    expect(succeed(router)).toBe('a created');

    await lab.publish(draining.text);
    await events.accepted(draining.revision);
    expect(succeed(router)).toBe('a reused');
    expect(selectionOf(router.select(SESSION)).decision).toMatchObject({
      admissionState: 'existing_only',
      group: 1,
    });
    for (let i = 0; i < 3; i++) expect(siteOf(router.select(MODEL))).toBe('b');

    await lab.publish(gone.text);
    await events.accepted(gone.revision);
    expect(succeed(router)).toBe('b failed_over');

    await lab.publish(open.text);
    await events.accepted(open.revision);
    expect(succeed(router)).toBe('b reused');
  });

  it('a session whose provider moved to a cluster the gateway does not have is bound anew', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(publication({ candidates: [at('a'), at('b')] }).text);
    const { router, events } = await lab.follow({ affinity, knownClusters: ['provider-a', 'provider-b'] });
    expect(succeed(router)).toBe('a created');
    const moved = publication({ candidates: [at('a', { cluster: 'elsewhere' }), at('b')] });
    await lab.publish(moved.text);
    await events.accepted(moved.revision);
    expect(succeed(router)).toBe('b failed_over');
  });

  it('a session whose provider left the overlay is bound anew', async () => {
    await using lab = await OverlayLab.create();
    const [first, second] = [
      publication({ candidates: [at('a'), at('b')] }),
      publication({ candidates: [at('b'), at('c')] }),
    ];
    await lab.publish(first.text);
    const { router, events } = await lab.follow({ affinity });
    expect(succeed(router)).toBe('a created');
    await lab.publish(second.text);
    await events.accepted(second.revision);
    expect(succeed(router)).toBe('b failed_over');
    expect(succeed(router)).toBe('b reused');
  });

  it('retries of a bound session go to the best group first', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(publication({ candidates: [at('a'), at('b')] }).text);
    const { router, events } = await lab.follow({ affinity });
    succeed(router);
    const draining = publication({
      candidates: [at('b'), at('c'), at('a', { selection_group: 1, admission_state: 'existing_only' })],
    });
    await lab.publish(draining.text);
    await events.accepted(draining.revision);
    const bound = selectionOf(router.select(SESSION));
    expect(bound.decision).toMatchObject({ candidate: { site: 'a' }, affinity: 'reused' });
    expect(bound.next(NO_ENDPOINT)).toMatchObject({
      selection: { decision: { group: 0, affinity: 'failed_over', fallthrough: true } },
    });
  });
});
