import { describe, expect, it } from 'vitest';
import { ATTEMPT_RESULTS, OUTCOME_TABLE, type ViabilityEvent } from '../../src/index.ts';
import { endAt, FAILED, healthOf, routerOf, served, viability } from '../support/health-lab.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication } from '../support/overlays.ts';
import { ANSWERED, selectionOf } from '../support/static-router.ts';

describe('Retry-After', () => {
  it.each(['status_429', 'status_503'] as const)(
    'of a %s sets the time, and is no sign of illness (B37)',
    async (result) => {
      const { router, clock } = await routerOf(['ab']);
      endAt(router, 'a', { result, retryAfterMs: 300 });
      expect(healthOf(router, 'a')?.health).toEqual({
        state: 'ejected',
        failures: 0,
        ejections: 0,
        returnsInMs: 300,
      });
      clock.advance(299);
      expect(healthOf(router, 'a')?.viable).toBe(false);
      clock.advance(1);
      expect(healthOf(router, 'a')?.viable).toBe(true);
    },
  );

  it('is capped, does not count with other results, and 0 is not obeyed', async () => {
    const { router } = await routerOf(['ab'], { viability: { ...viability, retryAfterMaxMs: 5000 } });
    endAt(router, 'a', { result: 'status_500', retryAfterMs: 60_000 });
    endAt(router, 'a', { result: 'status_429', retryAfterMs: 0 });
    expect(healthOf(router, 'a')?.health).toMatchObject({ ejections: 1, returnsInMs: 1000 });
    const { router: other } = await routerOf(['ab'], { viability: { ...viability, retryAfterMaxMs: 5000 } });
    endAt(other, 'a', { result: 'status_429', retryAfterMs: 1e9 });
    expect(healthOf(other, 'a')?.health.returnsInMs).toBe(5000);
  });

  it('is not obeyed with a limit of 0: it is a failure like any other', async () => {
    const told: ViabilityEvent[] = [];
    const { router } = await routerOf(['ab'], {
      viability: { ...viability, retryAfterMaxMs: 0 },
      onViability: (event: ViabilityEvent) => told.push(event),
    });
    endAt(router, 'a', { result: 'status_429', retryAfterMs: 9000 });
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { failures: 1 } });
    endAt(router, 'a', { result: 'status_429', retryAfterMs: 9000 });
    expect(told).toMatchObject([{ type: 'ejected', forMs: 1000, asked: false }]);
  });
});

it('ejections and recoveries are told', async () => {
  const told: ViabilityEvent[] = [];
  const { router, clock } = await routerOf(['ab'], {
    onViability: (event: ViabilityEvent) => told.push(event),
  });
  endAt(router, 'a', { result: 'status_429', retryAfterMs: 500 });
  clock.advance(500);
  endAt(router, 'a', { result: 'reset' });
  clock.advance(1000);
  endAt(router, 'a', ANSWERED);
  expect(told).toMatchObject([
    { type: 'ejected', candidate: { site: 'a' }, result: 'status_429', forMs: 500, asked: true },
    { type: 'ejected', candidate: { site: 'a' }, result: 'reset', forMs: 1000, asked: false },
    { type: 'recovered', candidate: { site: 'a' } },
  ]);
});

describe('what counts against a candidate', () => {
  const harmless = ATTEMPT_RESULTS.filter((result) => OUTCOME_TABLE[result].health !== 'failed');

  it('are failures of the provider, and neither 4xx nor errors made here', () => {
    expect(harmless).toEqual(['answered', 'no_endpoint', 'local_error', 'client_gone']);
  });

  it.each(harmless)('is not %s', async (result) => {
    const { router } = await routerOf(['ab']);
    for (let i = 0; i < 20; i++) endAt(router, 'a', { result });
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { failures: 0 } });
  });

  it('is nothing when it is switched off, nor failures with a limit of 0', async () => {
    for (const off of [{ enabled: false }, { ...viability, consecutiveFailures: 0 }]) {
      const { router } = await routerOf(['ab'], { viability: off });
      for (let i = 0; i < 20; i++) endAt(router, 'a', FAILED);
      expect(router.traffic().ejected).toEqual([]);
    }
  });
});

describe('sessions and reloads', () => {
  it('a session bound to an ejected candidate fails over once and stays', async () => {
    const { router, clock } = await routerOf(['abc'], { affinity: { enabled: true } });
    const session = { ...MODEL, sessionKey: 's' };
    const bound = selectionOf(router.select(session));
    bound.end(ANSWERED);
    expect(bound.decision.candidate.site).toBe('a');
    for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
    const moved = selectionOf(router.select(session));
    expect(moved.decision.affinity).toBe('failed_over');
    moved.end(ANSWERED);
    clock.advance(1000);
    endAt(router, 'a', ANSWERED);
    const stays = selectionOf(router.select(session)).decision;
    expect(stays).toMatchObject({ affinity: 'reused', candidate: moved.decision.candidate });
  });

  it('an ejection is carried over reloads by stable id, also past one without the candidate', async () => {
    await using lab = await OverlayLab.create();
    const both = publication({ candidates: [at('a'), at('b')] });
    const without = publication({ candidates: [at('b'), at('c')] });
    const back = publication({ candidates: [at('a', { rank: 7 }), at('b')] });
    await lab.publish(both.text);
    const { router, events } = await lab.follow({ viability });
    for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
    for (const next of [without, back]) {
      await lab.publish(next.text);
      await events.accepted(next.revision);
      served(router, 1);
    }
    expect(healthOf(router, 'a')).toMatchObject({ viable: false, health: { state: 'ejected' } });
  });
});
