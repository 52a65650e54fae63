import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { Router, Selection } from '../../src/index.ts';
import { MODEL } from '../support/overlays.ts';
import {
  ANSWERED,
  candidatesOf,
  NO_ENDPOINT,
  nextOf,
  selectionOf,
  staticRouter,
} from '../support/static-router.ts';

const SESSION = { ...MODEL, sessionKey: 's' };
const HOUR_MS = 3_600_000;

describe('an attempt that another one followed', () => {
  it('does not end the request when it is ended too: the session is bound by the last one', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity: { enabled: true } });
    const first = selectionOf(router.select(SESSION));
    const second = nextOf(first);
    first.end(NO_ENDPOINT);
    expect(router.traffic()).toMatchObject({ inFlight: 1, retrying: 1 });
    second.end(ANSWERED);
    expect(router.traffic()).toMatchObject({ inFlight: 0, retrying: 0 });
    expect(selectionOf(router.select(SESSION)).decision).toMatchObject({
      affinity: 'reused',
      candidate: second.decision.candidate,
    });
  });
});

describe('requests that nobody ever ends', () => {
  const retry = { budget: { ratio: 0, minConcurrent: 2 } };

  const lose = (router: Router, requests: number): Selection[] =>
    Array.from({ length: requests }, () => nextOf(selectionOf(router.select(MODEL))));

  it('do not use up the retry budget for ever', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abc']), { retry, clock });
    lose(router, 2);
    expect(selectionOf(router.select(MODEL)).next(NO_ENDPOINT)).toMatchObject({ reason: 'budget_exhausted' });
    clock.advance(HOUR_MS);
    expect(selectionOf(router.select(MODEL)).next(NO_ENDPOINT)).toMatchObject({ reason: 'budget_exhausted' });
    clock.advance(HOUR_MS);
    expect(selectionOf(router.select(MODEL)).next(NO_ENDPOINT).ok).toBe(true);
    expect(router.traffic()).toMatchObject({ inFlight: 2, retrying: 1 });
  });

  it('do not disturb the count when they end after all, a day later', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abc']), { retry, clock });
    const late = lose(router, 2);
    clock.advance(24 * HOUR_MS);
    const present = nextOf(selectionOf(router.select(MODEL)));
    for (const selection of late) selection.end(ANSWERED);
    expect(router.traffic()).toMatchObject({ inFlight: 1, retrying: 1 });
    present.end(ANSWERED);
    expect(router.traffic()).toMatchObject({ inFlight: 0, retrying: 0 });
  });
});
