import { describe, expect, it } from 'vitest';
import { explainRequest } from '../../page/model/why.ts';
import { decodeJson } from '../../src/otlp/json/decode-json.ts';
import { TraceStore } from '../../src/store/trace-store.ts';
import { overlayEntry, REVISION, requestRow, sampleExport } from './sample-page.ts';

const request = requestRow(2);

describe('why a request went where it went', () => {
  it('its turn came: who was before, who is after, and who the next request really went to', () => {
    const store = new TraceStore({}, { now: () => 0 });
    store.add(decodeJson(Buffer.from(sampleExport(request)), 1_000).spans);
    const trace = store.trace(request.traceId) ?? null;
    const why = explainRequest({
      request,
      trace,
      overlays: [overlayEntry()],
      ejections: [],
      following: requestRow(3),
    });
    expect(why).toMatchObject({ revision: REVISION, policy: 'round_robin', group: 0, reason: 'round_robin' });
    expect(why.turn).toEqual({
      kind: 'turn',
      ring: ['provider-a', 'provider-b', 'provider-c'],
      before: 'provider-b',
      after: 'provider-c',
      next: { request: 3, provider: 'provider-c' },
    });
    expect(why.candidates.map(({ verdict }) => verdict)).toEqual(['waits', 'chosen', 'waits']);
  });

  it('who drains, is excluded or stands in a lower group was skipped, each with its reason', () => {
    const overlay = overlayEntry({
      'provider-a': { admission: 'existing_only', group: 1 },
      'provider-c': { group: 1 },
    });
    const { candidates, turn } = explainRequest({
      request,
      trace: null,
      overlays: [overlay],
      ejections: [],
      following: null,
    });
    expect(candidates.map(({ verdict, why }) => `${verdict}: ${why}`)).toEqual([
      'skipped: draining: takes bound sessions only',
      'chosen: answered this request',
      'skipped: group 1: a better group could serve',
    ]);
    expect(turn).toMatchObject({
      ring: ['provider-b'],
      before: 'provider-b',
      after: 'provider-b',
      next: null,
    });
  });

  it('who the gateway itself left out at that time was skipped, and has no turn', () => {
    const sentAtMs = request.sentAtMs ?? 0;
    const out = { provider: 'provider-c', result: 'connect_failed' };
    const given = { request, trace: null, overlays: [overlayEntry()], following: null };
    const during = explainRequest({
      ...given,
      ejections: [{ ...out, fromMs: sentAtMs - 1, untilMs: sentAtMs + 1 }],
    });
    expect(during.candidates[2]).toMatchObject({
      verdict: 'skipped',
      why: 'ejected by the gateway: connect failed',
    });
    expect(during.turn).toMatchObject({ after: 'provider-a' });
    const before = explainRequest({ ...given, ejections: [{ ...out, fromMs: sentAtMs + 1, untilMs: null }] });
    expect(before.candidates[2]).toMatchObject({ verdict: 'waits' });
  });

  it.each([
    ['random', 'Chance decides'],
    ['deterministic', 'The first viable candidate'],
    ['weighted_round_robin', 'Weights decide'],
  ])('%s has no turn', (policy, because) => {
    const given = { request: requestRow(2, { policy }), overlays: [overlayEntry({}, policy)] };
    const { turn } = explainRequest({ ...given, trace: null, ejections: [], following: null });
    expect(turn).toMatchObject({ kind: 'none', because: expect.stringContaining(because) as string });
  });

  it('an overlay that was rejected, or another one, explains nothing', () => {
    const rejected = { ...overlayEntry(), outcome: 'rejected' as const };
    const other = { ...overlayEntry(), revision: 'f'.repeat(64) };
    const why = explainRequest({
      request,
      trace: null,
      overlays: [rejected, other],
      ejections: [],
      following: null,
    });
    expect(why.overlay).toBeNull();
    expect(why.candidates).toEqual([]);
    expect(why.turn.kind).toBe('none');
  });
});
