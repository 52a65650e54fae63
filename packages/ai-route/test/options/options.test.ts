import { describe, expect, it } from 'vitest';
import { createRouter, RouterOptionsError } from '../../src/index.ts';
import { candidatesOf } from '../support/static-router.ts';

const VALID = { candidates: candidatesOf(['ab']), localSite: 'here', selectionPolicy: 'round_robin' };

const ranked = (rank: unknown): object => ({
  ...VALID,
  candidates: VALID.candidates.map((one) => ({ ...one, rank })).slice(0, 1),
});

async function issuesOf(options: unknown): Promise<string[]> {
  try {
    await (await createRouter(options as Parameters<typeof createRouter>[0])).close();
  } catch (error) {
    if (!(error instanceof RouterOptionsError)) throw error;
    for (const { path, message } of error.issues) expect(error.message).toContain(`${path}: ${message}`);
    return error.issues.map(({ path }) => path);
  }
  return [];
}

describe('router options', () => {
  it('need exactly one source of candidates', async () => {
    expect(await issuesOf({})).toEqual(['overlayFile']);
    expect(await issuesOf({ ...VALID, overlayFile: 'x.json' })).toEqual(['overlayFile']);
    expect(await issuesOf(VALID)).toEqual([]);
  });

  it.each([
    ['nothing', undefined, 'options'],
    ['null', null, 'options'],
    ['a text', 'overlay.json', 'options'],
    ['a number too large for its kind', { ...VALID, retry: { attempts: 3n } }, 'retry.attempts'],
    ['no candidate in a candidate’s place', { ...VALID, candidates: [null] }, 'candidates[0]'],
    ['a text in a candidate’s place', { ...VALID, candidates: ['a'] }, 'candidates[0]'],
    ['a rank that JSON has no word for', ranked(1n), 'candidates[0].rank'],
    ['a rank that JSON would make null', ranked(Number.NaN), 'candidates[0].rank'],
  ])('as plain JavaScript may give them: %s', async (_what, options, path) => {
    expect(await issuesOf(options)).toEqual([path]);
  });

  it.each([
    ['reload', { reload: {} }, 'reload'],
    ['limits', { limits: {} }, 'limits'],
    ['an expected scope', { expectedScope: {} }, 'expectedScope'],
    ['a listener', { onEvent: () => undefined }, 'onEvent'],
    ['a misspelt key', { afinity: {} }, 'afinity'],
    ['a misspelt nested key', { affinity: { enabled: true, ttl: 1 } }, 'affinity.ttl'],
    ['a time to live of 0', { affinity: { enabled: true, ttlSeconds: 0 } }, 'affinity.ttlSeconds'],
    ['a capacity that is no number', { affinity: { enabled: true, capacity: '10' } }, 'affinity.capacity'],
    ['a fraction of an attempt', { retry: { attempts: 1.5 } }, 'retry.attempts'],
    ['no attempts', { retry: { attempts: 0 } }, 'retry.attempts'],
    ['an unknown start', { start: { mode: 'random' } }, 'start.mode'],
    ['a hashed start without instance', { start: { mode: 'hashed' } }, 'start.instanceId'],
    ['an instance nobody asks for', { start: { mode: 'first', instanceId: 'x' } }, 'start.instanceId'],
    ['one text as clusters', { knownClusters: 'provider-a' }, 'knownClusters'],
    ['a section that is none', { retry: 3 }, 'retry'],
    ['a source that is no function', { random: 4 }, 'random'],
    ['half a clock', { clock: { now: () => 0 } }, 'clock'],
    ['a blank site', { localSite: ' ' }, 'localSite'],
    ['candidates that are no array', { candidates: {} }, 'candidates'],
    [
      'a missing field',
      { candidates: [{ ...VALID.candidates[0], cluster: undefined }] },
      'candidates[0].cluster',
    ],
    ['a wire name', { candidates: [{ ...VALID.candidates[0], stable_id: 'x' }] }, 'candidates[0].stable_id'],
    [
      'a weight out of place',
      { candidates: candidatesOf(['a'], { trafficWeight: 2 }) },
      'candidates[0].trafficWeight',
    ],
    ['an unknown policy', { selectionPolicy: 'fastest' }, 'selectionPolicy'],
  ])('refuse %s', async (_what, wrong, path) => {
    expect(await issuesOf({ ...VALID, ...wrong })).toContain(path);
  });

  it('refuse a rotating policy without groups: it would silently be deterministic', async () => {
    const candidates = VALID.candidates.map(({ selectionGroup: _, ...rest }) => rest);
    expect(await issuesOf({ ...VALID, candidates })).toHaveLength(1);
    expect(await issuesOf({ ...VALID, candidates, selectionPolicy: undefined })).toEqual([]);
  });

  it.each([
    [{ reload: { debounceMs: -1 } }, 'reload.debounceMs'],
    [{ reload: { pollMs: 0 } }, 'reload.pollMs'],
    [{ reload: { enabled: 'yes' } }, 'reload.enabled'],
    [{ reload: { onMissing: 'hope' } }, 'reload.onMissing'],
    [{ reload: { onMissing: 'wait', enabled: false } }, 'reload.onMissing'],
    [{ reload: { lastGoodFile: ' ' } }, 'reload.lastGoodFile'],
    [{ reload: { rollback: 'maybe' } }, 'reload.rollback'],
    [{ reload: { maxAgeSeconds: 0 } }, 'reload.maxAgeSeconds'],
    [{ reload: { onExpired: 'unready' } }, 'reload.onExpired'],
    [{ limits: { maxBytes: 0 } }, 'limits.maxBytes'],
    [{ expectedScope: { gatway: 'x' } }, 'expectedScope.gatway'],
    [{ expectedScope: { gateway: 7 } }, 'expectedScope.gateway'],
    [{ onEvent: 'log' }, 'onEvent'],
    [{ localSite: 'here' }, 'localSite'],
    [{ overlayFile: '' }, 'overlayFile'],
  ])('refuse %j next to an overlay file', async (wrong, path) => {
    expect(await issuesOf({ overlayFile: 'x.json', ...wrong })).toContain(path);
  });

  it('report everything that is wrong at once', async () => {
    const wrong = { ...VALID, retry: { attempts: -1 }, affinity: { enabled: 1 }, extra: true };
    expect(await issuesOf(wrong)).toEqual(['extra', 'affinity.enabled', 'retry.attempts']);
  });

  it('take more static candidates than an overlay may have by default', async () => {
    const candidates = Array.from({ length: 3000 }, (_, i) => ({
      kind: 'mcp_tool',
      name: `tool-${i}`,
      site: 's',
      cluster: 'c',
    }));
    expect(await issuesOf({ candidates, localSite: 'here' })).toEqual([]);
  });
});
