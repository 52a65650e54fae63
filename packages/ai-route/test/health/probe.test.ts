import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '../../src/index.ts';
import { endAt, healthOf, routerOf, served, viability } from '../support/health-lab.ts';
import { MODEL } from '../support/overlays.ts';
import { ANSWERED, selectionOf } from '../support/static-router.ts';

describe('streams that begin and then break off', () => {
  const BROKEN = { result: 'broken' } as const;

  it('eject a provider whose every stream breaks off, though each one began well', async () => {
    const { router } = await routerOf(['ab']);
    for (let i = 0; i < 2; i++) breakAt('a');
    expect(healthOf(router, 'a')?.health).toMatchObject({ state: 'ejected' });

    function breakAt(site: string): void {
      for (;;) {
        const selection = selectionOf(router.select(MODEL));
        selection.begin();
        const hit = selection.decision.candidate.site === site;
        selection.end(hit ? BROKEN : ANSWERED);
        if (hit) return;
      }
    }
  });

  it('eject for longer each time, though each probe begins well; a whole answer makes up for all', async () => {
    const { router, clock } = await routerOf(['ab']);
    const times: (number | null | undefined)[] = [];
    const at = (site: string, outcome: AttemptOutcome): void => {
      for (let i = 0; i < 2; i++) {
        const selection = selectionOf(router.select(MODEL));
        if (selection.decision.candidate.site !== site) {
          selection.end(ANSWERED);
          continue;
        }
        selection.begin();
        selection.end(outcome);
        return;
      }
    };
    for (let i = 0; i < 4; i++) {
      while (healthOf(router, 'a')?.viable === true) at('a', BROKEN);
      const { returnsInMs = 0 } = healthOf(router, 'a')?.health ?? {};
      times.push(returnsInMs);
      clock.advance(returnsInMs ?? 0);
      if (i === 2) at('a', ANSWERED);
    }
    expect(times).toEqual([1000, 2000, 4000, 1000]);
  });

  it('do not eject when whole answers come between them', async () => {
    const { router } = await routerOf(['a', 'b']);
    for (let i = 0; i < 9; i++) {
      const selection = selectionOf(router.select(MODEL));
      selection.begin();
      selection.end(i % 2 === 0 ? BROKEN : ANSWERED);
    }
    expect(router.traffic().ejected).toEqual([]);
  });

  it('leave other failures to be forgotten at the first byte', async () => {
    const { router } = await routerOf(['a', 'b']);
    for (let i = 0; i < 9; i++) {
      selectionOf(router.select(MODEL)).end({ result: 'status_500' });
      const selection = selectionOf(router.select(MODEL));
      selection.begin();
    }
    expect(router.traffic().ejected).toEqual([]);
  });
});

describe('after a short Retry-After', () => {
  it('a slow probe is not given up after that little time: nobody else gets in meanwhile', async () => {
    const { router, clock } = await routerOf(['ab']);
    endAt(router, 'a', { result: 'status_429', retryAfterMs: 20 });
    clock.advance(20);
    let probe = selectionOf(router.select(MODEL));
    if (probe.decision.candidate.site !== 'a') probe = selectionOf(router.select(MODEL));
    expect(probe.decision.candidate.site).toBe('a');
    for (let waitedMs = 0; waitedMs < viability.ejectionMs - 100; waitedMs += 100) {
      expect(served(router, 2)).toBe('bb');
      clock.advance(100);
    }
    expect(router.traffic().probes).toBe(1);
    clock.advance(100);
    expect(served(router, 2)).toContain('a');
  });
});

describe('a candidate that is back', () => {
  it('is not ejected again for requests that hung since before its ejection', async () => {
    const { router, clock } = await routerOf(['ab']);
    const hung = Array.from({ length: 10 }, () => selectionOf(router.select(MODEL)));
    const atA = hung.filter(({ decision }) => decision.candidate.site === 'a');
    for (const selection of atA.slice(0, 2)) selection.end({ result: 'first_byte_timeout' });
    expect(healthOf(router, 'a')?.health.state).toBe('ejected');
    clock.advance(viability.ejectionMs);
    endAt(router, 'a', ANSWERED);
    for (const selection of atA.slice(2)) selection.end({ result: 'first_byte_timeout' });
    expect(healthOf(router, 'a')?.health).toMatchObject({ state: 'well', failures: 0 });
    // What begins from now on counts.
    for (let i = 0; i < 2; i++) endAt(router, 'a', { result: 'first_byte_timeout' });
    expect(healthOf(router, 'a')?.health.state).toBe('ejected');
  });

  it('counts the probe that brought it back by its first byte and then broke off', async () => {
    const { router, clock } = await routerOf(['ab'], { viability: { ...viability, consecutiveFailures: 1 } });
    endAt(router, 'a', { result: 'reset' });
    clock.advance(viability.ejectionMs);
    let probe = selectionOf(router.select(MODEL));
    if (probe.decision.candidate.site !== 'a') probe = selectionOf(router.select(MODEL));
    probe.begin();
    expect(healthOf(router, 'a')?.viable).toBe(true);
    probe.end({ result: 'broken' });
    expect(healthOf(router, 'a')?.viable).toBe(false);
  });
});
