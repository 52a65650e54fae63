import type { Overlay } from '@switchyard/overlay-contract';
import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { RouterEvent } from '../../src/index.ts';
import { LastGood } from '../../src/reload/last-good.ts';
import { at, overlayOf } from '../support/overlays.ts';

const [one, two] = [overlayOf({ candidates: [at('a')] }), overlayOf({ candidates: [at('b')] })];
const invalid = {
  kind: 'invalid',
  print: 'p',
  issues: [{ code: 'malformed_json', path: '', message: 'not JSON' }],
  claimedRevision: null,
} as const;

function serving(serve: (overlay: Overlay) => void = () => undefined) {
  const clock = new ManualClock();
  const events: RouterEvent[] = [];
  const lastGood = new LastGood(one, {
    clock,
    emit: (event) => events.push(event),
    serve(overlay) {
      serve(overlay);
      return { unknownClusters: [] };
    },
  });
  events.length = 0;
  return { clock, events, lastGood };
}

describe('the last good overlay', () => {
  it('says once that a document is bad, however often it is read again', () => {
    const { events, lastGood } = serving();
    lastGood.offer(invalid);
    for (let i = 0; i < 3; i++) lastGood.offer({ kind: 'same', print: 'p' });
    expect(events.map(({ type }) => type)).toEqual(['rejected']);
    expect(lastGood.counters).toEqual({ accepted: 1, unchanged: 0, rejected: 1, unreadable: 0 });
    expect(lastGood.lastRejected).toMatchObject({ code: 'malformed_json', message: 'document: not JSON' });
  });

  it('stays in service when another one turns out to be impossible to serve', () => {
    const { events, lastGood } = serving((overlay) => {
      if (overlay === two) throw new Error('boom');
    });
    lastGood.offer({ kind: 'valid', print: 'p', overlay: two });
    expect(events).toMatchObject([
      { type: 'rejected', code: 'internal_error', servingRevision: one.revision },
    ]);
    expect(lastGood.overlay).toBe(one);
  });

  it('is replaced before anyone is told', () => {
    const clock = new ManualClock();
    const seen: string[] = [];
    const lastGood: LastGood = new LastGood(one, {
      clock,
      serve: () => ({ unknownClusters: [] }),
      emit: (event) => {
        if (event.type === 'accepted' && event.previousRevision !== null) {
          seen.push(lastGood.overlay.revision, String(lastGood.loadedAt));
        }
      },
    });
    clock.advance(5000);
    lastGood.offer({ kind: 'valid', print: 'p', overlay: two });
    expect(seen).toEqual([two.revision, String(clock.now())]);
  });

  it('keeps the time it was loaded when only its wrapping is renewed, and takes the new provenance', () => {
    const { clock, lastGood } = serving();
    const loadedAt = clock.now();
    clock.advance(5000);
    const renewed = overlayOf({ candidates: [at('a')], generation: 9, renderedAt: '2027-01-01T00:00:00Z' });
    lastGood.offer({ kind: 'valid', print: 'p', overlay: renewed });
    expect(lastGood.loadedAt).toBe(loadedAt);
    expect(lastGood.overlay.provenance?.sourceGeneration).toBe(9);
  });
});
