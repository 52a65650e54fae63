import { ManualClock } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ejectionLength, type ViabilityPolicy } from '../../src/health/viability-policy.ts';
import {
  ATTEMPT_RESULTS,
  type AttemptOutcome,
  OUTCOME_TABLE,
  type Router,
  type Selection,
  type ViabilityEvent,
} from '../../src/index.ts';
import { createDraw, sfc32 } from '../../src/random.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';
import { ANSWERED, candidatesOf, selectionOf, staticRouter } from '../support/static-router.ts';

const FAILED: AttemptOutcome = { result: 'status_500' };
const viability = { consecutiveFailures: 2, ejectionMs: 1000, maxEjectionMs: 8000, jitter: 0 };

async function routerOf(groups: readonly string[], options = {}) {
  const clock = new ManualClock();
  const router = await staticRouter(candidatesOf(groups), { viability, clock, ...options });
  return { clock, router };
}

/** Ends requests until one of them went to `site`, and that one like this. */
function endAt(router: Router, site: string, outcome: AttemptOutcome): void {
  for (let i = 0; i < 20; i++) {
    const selection = selectionOf(router.select(MODEL));
    const hit = selection.decision.candidate.site === site;
    selection.end(hit ? outcome : ANSWERED);
    if (hit) return;
  }
  throw new Error(`nobody went to ${site}`);
}

/** Where the next requests go, which all succeed. */
function served(router: Router, requests: number): string {
  return Array.from({ length: requests }, () => {
    const selection = selectionOf(router.select(MODEL));
    selection.end(ANSWERED);
    return selection.decision.candidate.site;
  }).join('');
}

const healthOf = (router: Router, site: string) =>
  [...router.routes()]
    .flatMap(({ groups }) => groups.flatMap(({ members }) => members))
    .find((one) => one.site === site);

describe('a candidate that keeps failing', () => {
  it('is ejected after so many failures in a row, and comes back by one probe', async () => {
    const { router, clock } = await routerOf(['abc']);
    endAt(router, 'a', FAILED);
    endAt(router, 'a', ANSWERED);
    endAt(router, 'a', FAILED);
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { state: 'well', failures: 1 } });
    endAt(router, 'a', FAILED);
    expect(healthOf(router, 'a')).toMatchObject({
      viable: false,
      reason: 'ejected',
      health: { state: 'ejected', failures: 2, ejections: 1, returnsInMs: 1000 },
    });
    expect(served(router, 4)).toBe('bcbc');
    expect(router.traffic()).toMatchObject({ ejections: 1, ejected: [{ name: 'demo-model', site: 'a' }] });

    clock.advance(1000);
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { state: 'due', returnsInMs: 0 } });
    const probes: Selection[] = [];
    for (let i = 0; i < 6; i++) {
      const selection = selectionOf(router.select(MODEL));
      if (selection.decision.candidate.site === 'a') probes.push(selection);
      else selection.end(ANSWERED);
    }
    expect(probes).toHaveLength(1);
    expect(healthOf(router, 'a')).toMatchObject({ viable: false, health: { state: 'probing' } });
    probes[0]?.end(ANSWERED);
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { state: 'well', failures: 0 } });
    expect(router.traffic()).toMatchObject({ probes: 1, ejected: [], inFlight: 0, retrying: 0 });
  });

  it('is well from the first byte of its probe on, however long the stream lasts', async () => {
    const { router, clock } = await routerOf(['ab']);
    for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
    clock.advance(1000);
    const stream = [selectionOf(router.select(MODEL)), selectionOf(router.select(MODEL))].find(
      ({ decision }) => decision.candidate.site === 'a',
    );
    stream?.begin();
    expect(healthOf(router, 'a')?.health.state).toBe('well');
    stream?.end({ result: 'broken' });
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { failures: 1 } });
  });

  it('gets another probe when the first one told nothing, or takes as long as an ejection', async () => {
    const { router, clock } = await routerOf(['ab']);
    for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
    clock.advance(1000);
    endAt(router, 'a', { result: 'client_gone' });
    expect(healthOf(router, 'a')?.health.state).toBe('due');
    const hanging = [selectionOf(router.select(MODEL)), selectionOf(router.select(MODEL))];
    expect(hanging.map(({ decision }) => decision.candidate.site).toSorted()).toEqual(['a', 'b']);
    expect(healthOf(router, 'a')?.health.state).toBe('probing');
    clock.advance(1000);
    expect(healthOf(router, 'a')?.health.state).toBe('due');
  });

  it('stays away twice as long each time in a row, up to the limit, and as long as at first after a success', async () => {
    const { router, clock } = await routerOf(['ab']);
    const lengths: (number | null | undefined)[] = [];
    for (let i = 0; i < 6; i++) {
      endAt(router, 'a', FAILED);
      if (i === 0) endAt(router, 'a', FAILED);
      const length = healthOf(router, 'a')?.health.returnsInMs;
      lengths.push(length);
      clock.advance(length ?? 0);
    }
    expect(lengths).toEqual([1000, 2000, 4000, 8000, 8000, 8000]);
    endAt(router, 'a', ANSWERED);
    for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
    expect(healthOf(router, 'a')?.health.returnsInMs).toBe(1000);
  });

  it('ten requests that fail at once are one ejection, and an old success does not end it', async () => {
    const { router } = await routerOf(['ab']);
    const atA = Array.from({ length: 20 }, () => selectionOf(router.select(MODEL))).filter(
      ({ decision }) => decision.candidate.site === 'a',
    );
    for (const selection of atA.slice(0, 9)) selection.end(FAILED);
    expect(router.traffic().ejections).toBe(1);
    expect(healthOf(router, 'a')?.health).toMatchObject({ ejections: 1, returnsInMs: 1000 });
    atA[9]?.end(ANSWERED);
    expect(healthOf(router, 'a')?.viable).toBe(false);
  });

  it('B34: alone in its group, it costs a few requests and then the lower group answers at once', async () => {
    const { router } = await routerOf(['a', 'c']);
    let attempts = 0;
    for (let i = 0; i < 10; i++) {
      const first = selectionOf(router.select(MODEL));
      const next = first.decision.candidate.site === 'a' ? first.next(FAILED) : undefined;
      attempts += next === undefined ? 1 : 2;
      (next?.ok ? next.selection : first).end(ANSWERED);
    }
    expect(attempts).toBe(12);
  });

  it('B38: several that fail in one request are each counted', async () => {
    const { router } = await routerOf(['abc']);
    for (let i = 0; i < 3; i++) {
      let attempt = selectionOf(router.select(MODEL));
      for (let next = attempt.next(FAILED); next.ok; next = attempt.next(FAILED)) attempt = next.selection;
      attempt.end(FAILED);
    }
    expect(router.traffic().ejected).toHaveLength(2);
  });
});

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
    const { router } = await routerOf(['ab'], { viability: { ...viability, retryAfterMaxMs: 0 } });
    endAt(router, 'a', { result: 'status_429', retryAfterMs: 9000 });
    expect(healthOf(router, 'a')).toMatchObject({ viable: true, health: { failures: 1 } });
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

describe('the length of an ejection', () => {
  const policy: ViabilityPolicy = {
    enabled: true,
    consecutiveFailures: 1,
    ejectionMs: 1000,
    maxEjectionMs: 60_000,
    retryAfterMaxMs: 0,
    jitter: 0.5,
  };

  it('P-H5: is drawn, so that a fleet does not come back in step, also at the limit', () => {
    const lengths = Array.from({ length: 1000 }, (_, gateway) =>
      ejectionLength(50, policy, createDraw(sfc32([gateway, 1, 2, 3]))),
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(60_000);
    expect(Math.min(...lengths)).toBeGreaterThan(30_000);
    const perBucket = new Map<number, number>();
    for (const length of lengths) perBucket.set(length >> 10, (perBucket.get(length >> 10) ?? 0) + 1);
    // 1,000 gateways over 30 seconds: no second has more than three times its share.
    expect(Math.max(...perBucket.values())).toBeLessThan(105);
  });

  it('grows with every ejection whatever is drawn, and stays a number after a thousand', () => {
    fc.assert(
      fc.property(
        fc.nat(5),
        fc.array(fc.nat(2 ** 31), { minLength: 2, maxLength: 2 }),
        (before, [a = 0, b = 0]) => {
          const shorter = ejectionLength(before, policy, createDraw(sfc32([a, 0, 0, 1])));
          expect(ejectionLength(before + 1, policy, createDraw(sfc32([b, 0, 0, 1])))).toBeGreaterThanOrEqual(
            Math.min(shorter, 30_000),
          );
        },
      ),
    );
    expect(ejectionLength(1000, { ...policy, jitter: 0 }, () => 0)).toBe(60_000);
  });
});
