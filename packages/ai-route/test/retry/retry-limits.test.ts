import { ManualClock } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptOutcome, Router, Selection } from '../../src/index.ts';
import { withinBudget } from '../../src/retry/retry-policy.ts';
import { MODEL } from '../support/overlays.ts';
import {
  ANSWERED,
  candidatesOf,
  NO_ENDPOINT,
  nextOf,
  selectionOf,
  staticRouter,
} from '../support/static-router.ts';

const reasonOf = (selection: Selection, outcome: AttemptOutcome = NO_ENDPOINT): string => {
  const result = selection.next(outcome);
  return result.ok ? 'another' : result.reason;
};

const requests = (router: Router, count: number): Selection[] =>
  Array.from({ length: count }, () => selectionOf(router.select(MODEL)));

describe('another attempt', () => {
  it.each([
    ['not_retryable', { result: 'answered' }],
    ['not_retryable', { result: 'broken' }],
    ['not_retryable', { result: 'client_gone' }],
    ['not_replayable', { result: 'status_503', replayable: false }],
    ['another', { result: 'status_503', replayable: true }],
  ] as const)('is %s after %o', async (reason, outcome) => {
    const router = await staticRouter(candidatesOf(['abc']));
    expect(reasonOf(selectionOf(router.select(MODEL)), outcome)).toBe(reason);
  });

  it('may be asked for again and is the same, also after a head that looked well', async () => {
    const router = await staticRouter(candidatesOf(['abc']));
    const first = selectionOf(router.select(MODEL));
    expect(reasonOf(first, ANSWERED)).toBe('not_retryable');
    const stalled = first.next({ result: 'first_byte_timeout' });
    expect(stalled).toMatchObject({ selection: { decision: { candidate: { site: 'b' } } } });
    expect(first.next({ result: 'status_503' })).toBe(stalled);
  });

  it('does not start later than withinMs after the request', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abc']), { clock, retry: { withinMs: 5000 } });
    const [inTime, late] = requests(router, 2) as [Selection, Selection];
    clock.advance(5000);
    expect(reasonOf(inTime)).toBe('another');
    clock.advance(1);
    expect(reasonOf(late)).toBe('too_slow');
    expect(router.traffic().refusedRetries).toMatchObject({ too_slow: 1, no_viable_candidate: 0 });
  });

  it('may start whenever with a limit of 0', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abc']), { clock, retry: { withinMs: 0 } });
    const first = selectionOf(router.select(MODEL));
    clock.advance(1e9);
    expect(reasonOf(first)).toBe('another');
  });
});

describe('P-D6: the retry budget', () => {
  const budget = { ratio: 0.2, minConcurrent: 3 };

  it('is a share of the requests in flight, and no less than the minimum', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { retry: { budget } });
    const few = requests(router, 10).map((selection) => reasonOf(selection));
    expect(few.filter((reason) => reason === 'another')).toHaveLength(3);
    const many = await staticRouter(candidatesOf(['abc']), { retry: { budget } });
    const reasons = requests(many, 100).map((selection) => reasonOf(selection));
    expect(reasons.filter((reason) => reason === 'another')).toHaveLength(20);
    expect(reasons.filter((reason) => reason === 'budget_exhausted')).toHaveLength(80);
    expect(many.traffic()).toMatchObject({
      inFlight: 100,
      retrying: 20,
      refusedRetries: { budget_exhausted: 80 },
    });
  });

  it('counts a request once, however often it is tried', async () => {
    const router = await staticRouter(candidatesOf(['abcd']), {
      retry: { attempts: 4, budget: { ratio: 0, minConcurrent: 1 } },
    });
    const [one, two] = requests(router, 2) as [Selection, Selection];
    const third = nextOf(nextOf(one));
    expect(third.decision.attempt).toBe(3);
    expect(reasonOf(two)).toBe('budget_exhausted');
    third.end(ANSWERED);
    expect(router.traffic()).toMatchObject({ inFlight: 1, retrying: 0 });
    expect(reasonOf(requests(router, 1)[0] as Selection)).toBe('another');
  });

  it('allows none at all with 0 and 0', async () => {
    const router = await staticRouter(candidatesOf(['ab']), {
      retry: { budget: { ratio: 0, minConcurrent: 0 } },
    });
    expect(reasonOf(selectionOf(router.select(MODEL)))).toBe('budget_exhausted');
  });

  it('is of each capability: the outage of one does not take the retries of another', async () => {
    const other = candidatesOf(['xy'], { name: 'other' });
    const router = await staticRouter([...candidatesOf(['ab']), ...other], {
      retry: { budget: { ratio: 0, minConcurrent: 1 } },
    });
    expect(requests(router, 2).map((selection) => reasonOf(selection))).toEqual([
      'another',
      'budget_exhausted',
    ]);
    expect(reasonOf(selectionOf(router.select({ ...MODEL, name: 'other' })))).toBe('another');
  });

  it('is kept at all times, whatever comes and goes, and forgets nothing', () => {
    const step = fc.record({ type: fc.constantFrom('arrive', 'fail', 'end'), which: fc.nat(99) });
    return fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200, size: 'max' }), async (steps) => {
        const router = await staticRouter(candidatesOf(['abcd']), { retry: { attempts: 4, budget } });
        const underWay: Selection[] = [];
        for (const { type, which } of steps) {
          const at = which % Math.max(1, underWay.length);
          if (type === 'arrive') underWay.push(selectionOf(router.select(MODEL)));
          const selection = underWay[at];
          if (selection === undefined) continue;
          const before = router.traffic();
          const next = type === 'fail' ? selection.next(NO_ENDPOINT) : undefined;
          if (next?.ok) underWay[at] = next.selection;
          if (type === 'end') for (const one of underWay.splice(at, 1)) one.end(ANSWERED);
          const { inFlight, retrying } = router.traffic();
          expect(inFlight).toBe(underWay.length);
          const limit = Math.max(budget.minConcurrent, Math.floor(budget.ratio * inFlight));
          // Requests that end take their share away from those that are retried already, but nobody joins these then.
          if (retrying > before.retrying) expect(retrying).toBeLessThanOrEqual(limit);
        }
        for (const selection of underWay) selection.end(ANSWERED);
        expect(router.traffic()).toMatchObject({ inFlight: 0, retrying: 0 });
      }),
      { numRuns: 200 },
    );
  });

  it('keeps an outage from multiplying the load: 1,000 failing requests make 200 more, not 2,000', () => {
    let retrying = 0;
    for (let i = 0; i < 1000; i++)
      if (withinBudget({ inFlight: 1000, retrying }, { ratio: 0.2, minConcurrent: 10 })) retrying++;
    expect(retrying).toBe(200);
  });
});

describe('P-D8: a session whose request succeeds elsewhere', () => {
  const session = { ...MODEL, sessionKey: 's' };
  const lastSite = async (outcome: AttemptOutcome): Promise<string> => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity: { enabled: true } });
    selectionOf(router.select(session)).end(ANSWERED);
    const retry = selectionOf(router.select(session)).next(outcome);
    if (!retry.ok) throw new Error(retry.reason);
    expect(retry.selection.decision).toMatchObject({ affinity: 'failed_over', candidate: { site: 'b' } });
    retry.selection.end(ANSWERED);
    return selectionOf(router.select(session)).decision.candidate.site;
  };

  it.each(['connect_failed', 'reset', 'first_byte_timeout', 'invalid_response', 'no_endpoint'] as const)(
    'moves there when its own provider is out of reach: %s',
    async (result) => expect(await lastSite({ result })).toBe('b'),
  );

  it.each(['status_429', 'status_500', 'status_502', 'status_503', 'status_504', 'status_529'] as const)(
    'stays with its own provider, which is there, after a single %s',
    async (result) => expect(await lastSite({ result })).toBe('a'),
  );
});

it('P-D9: turns are taken only in the groups that were used', async () => {
  const router = await staticRouter(candidatesOf(['ab', 'cd', 'ef']));
  const turns = (): (string | null)[] =>
    [...router.routes()].flatMap(({ groups }) => groups.map(({ nextTurn }) => nextTurn));
  expect(turns()).toEqual(['id-a', 'id-c', 'id-e']);
  nextOf(nextOf(selectionOf(router.select(MODEL)))).end(ANSWERED);
  // The third attempt fell through to the second group, by the rotation of retries: first turns are where they were.
  expect(turns()).toEqual(['id-b', 'id-c', 'id-e']);
});
