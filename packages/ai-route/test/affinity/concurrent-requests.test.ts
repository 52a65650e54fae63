import { describe, expect, it } from 'vitest';
import type { Router } from '../../src/index.ts';
import { FAILED, routerOf } from '../support/health-lab.ts';
import { MODEL } from '../support/overlays.ts';
import { ANSWERED, NO_ENDPOINT, selectionOf } from '../support/static-router.ts';

const SESSION = { ...MODEL, sessionKey: 's' };
const affinity = { enabled: true };
const GONE = { result: 'client_gone' } as const;

const decide = (router: Router): string => {
  const { affinity: outcome, candidate } = selectionOf(router.select(SESSION)).decision;
  return `${candidate.site} ${outcome}`;
};

describe('two first requests of a session at once', () => {
  it('a cancelled second one does not unbind the session that the first is being answered in', async () => {
    const { router } = await routerOf(['abc'], { affinity });
    const first = selectionOf(router.select(SESSION));
    const second = selectionOf(router.select(SESSION));
    second.end(GONE);
    expect(decide(router)).toBe('a reused');
    first.end(ANSWERED);
    expect(decide(router)).toBe('a reused');
  });

  it('leave no binding when both fail', async () => {
    const { router } = await routerOf(['abc'], { affinity });
    const [first, second] = [selectionOf(router.select(SESSION)), selectionOf(router.select(SESSION))];
    first.end(NO_ENDPOINT);
    second.end(NO_ENDPOINT);
    expect(decide(router)).toBe('b created');
  });
});

describe.each(['stay', 'failBack'] as const)('a session away from its ejected provider (%s)', (onReturn) => {
  it('still belongs there after a request elsewhere that was cancelled', async () => {
    const { router, clock } = await routerOf(['abc'], { affinity: { ...affinity, onReturn } });
    selectionOf(router.select(SESSION)).end(ANSWERED);
    for (let i = 0; i < 2; i++) selectionOf(router.select(SESSION)).end(FAILED);
    const elsewhere = selectionOf(router.select(SESSION));
    expect(elsewhere.decision).toMatchObject({ affinity: 'failed_over', candidate: { site: 'b' } });
    elsewhere.end(GONE);
    clock.advance(1000);
    expect(decide(router)).toBe('a reused');
  });
});
