import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { RouteRequest, Router } from '../../src/index.ts';
import { MODEL } from '../support/overlays.ts';
import { ANSWERED, candidatesOf, selectionOf, staticRouter } from '../support/static-router.ts';

const SESSION: RouteRequest = { ...MODEL, sessionKey: 's' };

/** A session at "a", which is then ejected for a second. */
async function ejected(onReturn: 'stay' | 'failBack') {
  const clock = new ManualClock();
  const router = await staticRouter(candidatesOf(['abc']), {
    affinity: { enabled: true, onReturn },
    viability: { consecutiveFailures: 1, ejectionMs: 1000, jitter: 0 },
    clock,
  });
  expect(succeed(router)).toBe('a created');
  selectionOf(router.select(SESSION)).end({ result: 'status_500' });
  return { router, clock };
}

function succeed(router: Router): string {
  const selection = selectionOf(router.select(SESSION));
  selection.end(ANSWERED);
  return `${selection.decision.candidate.site} ${selection.decision.affinity}`;
}

describe('a session that failed over', () => {
  it('stays where it went (onReturn: stay)', async () => {
    const { router, clock } = await ejected('stay');
    const [went, stayed] = [succeed(router), succeed(router)];
    expect(went).toMatch(/^[bc] failed_over$/);
    clock.advance(1000);
    expect([stayed, succeed(router)]).toEqual(Array(2).fill(went.replace('failed_over', 'reused')));
  });

  it('returns to its own provider when that is viable again (onReturn: failBack)', async () => {
    const { router, clock } = await ejected('failBack');
    const went = succeed(router);
    expect(succeed(router)).toBe(went.replace('failed_over', 'reused'));
    clock.advance(1000);
    expect([succeed(router), succeed(router)]).toEqual(['a reused', 'a reused']);
  });

  it('returns also when its request failed elsewhere meanwhile', async () => {
    const { router, clock } = await ejected('failBack');
    selectionOf(router.select(SESSION)).end({ result: 'local_error' });
    clock.advance(1000);
    expect(succeed(router)).toBe('a reused');
  });

  it('returns to where it was first, not to where it was in between', async () => {
    const { router, clock } = await ejected('failBack');
    const second = succeed(router)[0] ?? '';
    selectionOf(router.select(SESSION)).end({ result: 'status_500' });
    const third = succeed(router)[0] ?? '';
    expect([second, third].toSorted()).toEqual(['b', 'c']);
    clock.advance(1000);
    expect(succeed(router)).toBe('a reused');
  });
});

describe('P-F10: sessions of a provider that is gone', () => {
  it('spread over those that are left, not onto one', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abcde']), {
      affinity: { enabled: true },
      viability: { consecutiveFailures: 1, jitter: 0 },
      clock,
    });
    const keys = Array.from({ length: 1000 }, (_, i) => `s${i}`);
    const sites = (): string[] =>
      keys.map((sessionKey) => {
        const selection = selectionOf(router.select({ ...MODEL, sessionKey }));
        selection.end(ANSWERED);
        return selection.decision.candidate.site;
      });
    const before = sites();
    for (let i = 0; i < 5; i++) {
      const selection = selectionOf(router.select(MODEL));
      selection.end(selection.decision.candidate.site === 'a' ? { result: 'reset' } : ANSWERED);
    }
    const after = sites();
    const moved = after.filter((_, i) => before[i] === 'a');
    expect(moved).toHaveLength(200);
    for (const site of 'bcde') expect(moved.filter((one) => one === site)).toHaveLength(50);
    // Nobody else moved.
    expect(after.filter((site, i) => before[i] !== 'a' && before[i] !== site)).toEqual([]);
  });
});
