import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ejectionLength, type ViabilityPolicy } from '../../src/health/viability-policy.ts';
import type { Selection } from '../../src/index.ts';
import { createDraw, sfc32 } from '../../src/random.ts';
import { endAt, FAILED, healthOf, routerOf, served } from '../support/health-lab.ts';
import { MODEL } from '../support/overlays.ts';
import { ANSWERED, selectionOf } from '../support/static-router.ts';

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
