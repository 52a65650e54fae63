import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManualClock } from '@switchyard/test-kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgeAlarm, ageOf } from '../../src/reload/snapshot-age.ts';
import type { RoutingOverlay } from '../../src/snapshot/routing-overlay.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, overlayOf, siteOf } from '../support/overlays.ts';

describe('an older generation, when rollbacks are refused', () => {
  it('is rejected with its revision, and a newer one ends that', async () => {
    await using lab = await OverlayLab.create();
    const seven = lab.fresh({ generation: 7 });
    await lab.publish(seven.text);
    const { router, events } = await lab.follow({ reload: { rollback: 'refuse' } });
    const six = lab.fresh({ generation: 6 });
    await lab.publish(six.text);
    expect(await events.next('rejected')).toMatchObject({
      code: 'rollback_refused',
      revision: six.revision,
      servingRevision: seven.revision,
      issues: [],
    });
    expect(events.types()).not.toContain('rollback');
    expect(router.status()).toMatchObject({
      servingRevision: seven.revision,
      sourceGeneration: 7,
      health: { state: 'degraded', reasons: [{ code: 'source_rejected' }] },
    });
    const eight = lab.fresh({ generation: 8 });
    await lab.publish(eight.text);
    await events.accepted(eight.revision);
    expect(router.status().health.state).toBe('ready');
  });

  it('is not kept for the next start either, though it says what is served', async () => {
    await using lab = await OverlayLab.create();
    const lastGoodFile = join(lab.root, 'copy.json');
    const candidates = [at('a')];
    const seven = lab.fresh({ generation: 7, candidates });
    await lab.publish(seven.text);
    const { router, events } = await lab.follow({ reload: { rollback: 'refuse', lastGoodFile } });
    await lab.publish(lab.fresh({ generation: 6, candidates }).text);
    await events.next('unchanged', ({ reason }) => reason === 'same_revision');
    await router.close();
    expect(router.status().sourceGeneration).toBe(7);
    expect(await readFile(lastGoodFile, 'utf8')).toBe(seven.text);
  });

  it('of another source is not comparable', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh({ generation: 7 }).text);
    const { events } = await lab.follow({ reload: { rollback: 'refuse' } });
    const other = lab.fresh({ generation: 1, sourceUid: 'uid-2' });
    await lab.publish(other.text);
    await events.accepted(other.revision);
  });

  it('is known as one, though another source has written to the file in between', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh({ generation: 7 }).text);
    const { events } = await lab.follow({ reload: { rollback: 'refuse' } });
    const other = lab.fresh({ generation: 1, sourceUid: 'uid-2' });
    await lab.publish(other.text);
    await events.accepted(other.revision);
    const six = lab.fresh({ generation: 6 });
    await lab.publish(six.text);
    expect(await events.next('rejected')).toMatchObject({
      code: 'rollback_refused',
      revision: six.revision,
      servingRevision: other.revision,
    });
  });

  it.each(['refuse', 'accept'] as const)(
    'is known over a restart by the last good copy (%s)',
    async (rollback) => {
      await using lab = await OverlayLab.create();
      const lastGoodFile = join(lab.root, 'copy.json');
      const [seven, six] = [lab.fresh({ generation: 7 }), lab.fresh({ generation: 6 })];
      await writeFile(lastGoodFile, seven.text);
      await lab.publish(six.text);
      const { router, events } = await lab.follow({ reload: { rollback, lastGoodFile } });
      const refused = rollback === 'refuse';
      expect(events.types().slice(0, 2)).toEqual(
        refused ? ['restored', 'rejected'] : ['rollback', 'accepted'],
      );
      expect(router.status().servingRevision).toBe((refused ? seven : six).revision);
      await router.close();
      expect(await readFile(lastGoodFile, 'utf8')).toBe((refused ? seven : six).text);
    },
  );
});

describe('the age of an overlay', () => {
  it('counts from when it was rendered, else loaded; never less than nothing', () => {
    const overlay = overlayOf({ candidates: [at('a')], renderedAt: '2026-01-01T00:00:00Z' });
    const rendered = Date.UTC(2026, 0, 1);
    const { provenance: _, ...legacy } = overlay;
    const served = (of: RoutingOverlay) => ({
      overlay: of,
      loadedAt: rendered + 60_000,
      from: 'source' as const,
    });
    expect(ageOf(served(overlay), rendered + 90_000)).toBe(90_000);
    expect(ageOf(served(legacy), rendered + 90_000)).toBe(30_000);
    expect(ageOf(served(overlay), rendered - 5000)).toBe(0);
  });

  it.each([
    [undefined, 'degraded'],
    ['serve', 'degraded'],
    ['unready', 'not_ready'],
  ] as const)(
    'past its maximum with onExpired %s: %s, and requests are answered',
    async (onExpired, state) => {
      await using lab = await OverlayLab.create();
      const clock = new ManualClock();
      const first = lab.fresh();
      await lab.publish(first.text);
      const { router, events } = await lab.follow({
        clock,
        reload: { maxAgeSeconds: 3600, ...(onExpired && { onExpired }) },
      });
      clock.advance(3_600_000);
      expect(router.status()).toMatchObject({ health: { state: 'ready' }, ageSeconds: 3600 });
      clock.advance(1000);
      expect(router.status()).toMatchObject({
        health: {
          state,
          reasons: [{ code: 'expired', message: 'the overlay is 3601 s old; at most 3600 s are allowed' }],
        },
        ageSeconds: 3601,
      });
      expect(siteOf(router.select(MODEL))).toBe('a');

      // The same content under a new date is fresh again.
      const renewed = lab.fresh({ candidates: [at('a', { rank: 1 })], renderedAt: '2026-01-01T01:00:00Z' });
      await lab.publish(renewed.text);
      expect(await events.next('unchanged', ({ reason }) => reason === 'same_revision')).toBeDefined();
      expect(router.status()).toMatchObject({ health: { state: 'ready' }, ageSeconds: 1 });
      expect(router.status().servingRevision).toBe(first.revision);
    },
  );

  it('is too much at start already, when the file is old', async () => {
    await using lab = await OverlayLab.create();
    const clock = new ManualClock({ epochMs: Date.UTC(2026, 5, 1) });
    const { text, revision } = lab.fresh();
    await lab.publish(text);
    const { events } = await lab.follow({ clock, reload: { maxAgeSeconds: 86_400 } });
    expect(await events.next('expired')).toMatchObject({ revision, maxAgeSeconds: 86_400 });
  });
});

describe('the alarm', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) }));
  afterEach(() => void vi.useRealTimers());

  it('rings once per overlay, when its time has come', () => {
    const expired: number[] = [];
    const clock = { monotonicMs: () => 0, now: () => Date.now() };
    const alarm = new AgeAlarm({ clock, maxAgeMs: 10_000, onExpired: (ageMs) => expired.push(ageMs) });
    const served = (renderedAt: string) => ({
      overlay: overlayOf({ candidates: [at('a')], renderedAt }),
      loadedAt: 0,
      from: 'source' as const,
    });
    alarm.watch(served('2026-01-01T00:00:00Z'));
    vi.advanceTimersByTime(9000);
    alarm.watch(served('2026-01-01T00:00:00Z'));
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1001);
    alarm.watch(served('2026-01-01T00:00:00Z'));
    vi.advanceTimersByTime(60_000);
    expect(expired).toEqual([10_001]);
    alarm.watch(served('2026-01-01T00:01:05Z'));
    vi.advanceTimersByTime(4000);
    alarm.close();
    vi.advanceTimersByTime(60_000);
    expect(expired).toHaveLength(1);
  });
});
