import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { RouterEvent } from '../../src/index.ts';
import { LastGood, type LastGoodOptions } from '../../src/reload/last-good.ts';
import type { ValidReading } from '../../src/reload/load-overlay.ts';
import { planIndex } from '../../src/snapshot/index-plan.ts';
import type { RoutingOverlay } from '../../src/snapshot/routing-overlay.ts';
import { at, type OverlayInput, overlayOf } from '../support/overlays.ts';
import { preparing } from '../support/source-lab.ts';

function reading(input: Partial<OverlayInput> = {}): ValidReading {
  const overlay = overlayOf({ candidates: [at('a')], ...input });
  return { kind: 'valid', print: 'p', bytes: new Uint8Array(), overlay, plan: planIndex(overlay) };
}

const one = reading();
const two = reading({ candidates: [at('b')] });
const { signal } = new AbortController();
const invalid = {
  kind: 'invalid',
  print: 'p',
  issues: [{ code: 'malformed_json', path: '', message: 'not JSON' }],
  claimedRevision: null,
} as const;

async function serving(
  serve: (overlay: RoutingOverlay) => void = () => undefined,
  options: Partial<LastGoodOptions> = {},
) {
  const clock = new ManualClock();
  const events: RouterEvent[] = [];
  const emit = (event: RouterEvent): void => void events.push(event);
  const lastGood = new LastGood({ clock, emit, rollback: 'accept', prepare: preparing(serve), ...options });
  await lastGood.offer(one, signal);
  events.length = 0;
  return { clock, events, lastGood };
}

describe('the last good overlay', () => {
  it('says once that a document is bad, however often it is read again', async () => {
    const { events, lastGood } = await serving();
    await lastGood.offer(invalid, signal);
    for (let i = 0; i < 3; i++) await lastGood.offer({ kind: 'same', print: 'p' }, signal);
    expect(events.map(({ type }) => type)).toEqual(['rejected']);
    expect(lastGood.counters).toEqual({ accepted: 1, unchanged: 0, rejected: 1, unreadable: 0 });
    expect(lastGood.lastRejected).toMatchObject({ code: 'malformed_json', message: 'document: not JSON' });
  });

  it('stays in service when another one turns out to be impossible to serve', async () => {
    const { events, lastGood } = await serving((overlay) => {
      if (overlay === two.overlay) throw new Error('boom');
    });
    await lastGood.offer(two, signal);
    expect(events).toMatchObject([
      { type: 'rejected', code: 'internal_error', servingRevision: one.overlay.revision },
    ]);
    expect(lastGood.served?.overlay).toBe(one.overlay);
  });

  it('is replaced before anyone is told', async () => {
    const seen: unknown[] = [];
    const { clock, lastGood } = await serving(undefined, {
      emit: (event) => {
        if (event.type !== 'accepted' || event.previousRevision === null) return;
        seen.push(lastGood.served?.overlay.revision, lastGood.served?.loadedAt);
      },
    });
    clock.advance(5000);
    await lastGood.offer(two, signal);
    expect(seen).toEqual([two.overlay.revision, clock.now()]);
  });

  it('keeps the time it was loaded when only its wrapping is renewed, and takes the new provenance', async () => {
    const { clock, lastGood } = await serving();
    const loadedAt = clock.now();
    clock.advance(5000);
    await lastGood.offer(reading({ generation: 9, renderedAt: '2027-01-01T00:00:00Z' }), signal);
    expect(lastGood.served?.loadedAt).toBe(loadedAt);
    expect(lastGood.confirmedAt).toBe(clock.now());
    expect(lastGood.served?.overlay.provenance?.sourceGeneration).toBe(9);
  });

  it('is not replaced by what was abandoned while it was being prepared', async () => {
    const { events, lastGood } = await serving();
    const stop = new AbortController();
    const offered = lastGood.offer(two, stop.signal);
    stop.abort();
    await offered;
    expect(lastGood.served?.overlay).toBe(one.overlay);
    expect(events).toEqual([]);
  });

  it('does not forget the generation it has reached when an older wrapping of it is refused', async () => {
    const { events, lastGood } = await serving(undefined, { rollback: 'refuse' });
    await lastGood.offer(reading({ generation: 9 }), signal);
    await lastGood.offer(reading({ generation: 3 }), signal);
    await lastGood.offer(reading({ generation: 8, candidates: [at('b')] }), signal);
    expect(events.map(({ type }) => type)).toEqual(['unchanged', 'unchanged', 'rejected']);
    expect(lastGood.lastRejected).toMatchObject({ code: 'rollback_refused' });
    await lastGood.offer(reading({ generation: 10, candidates: [at('b')] }), signal);
    expect(lastGood.served?.overlay.provenance?.sourceGeneration).toBe(10);
  });
});
