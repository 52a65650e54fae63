import { readdir, rm, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { SCOPE, sample } from '../support/overlays.ts';
import { SyncLab } from '../support/sync-lab.ts';

const one = sample();
const two = sample({ clusters: ['provider-c'] });

describe('documents', () => {
  it('a valid one is written byte for byte, whatever its white space and unknown members', async () => {
    await using lab = await SyncLab.create();
    const odd = one.text.replace('{\n', '{ "x-unknown" : [ 1.0,\t"\\u00e9" ],\r\n').replace(/\n$/, '');
    expect(odd).not.toBe(one.text);
    await lab.offer(odd);
    expect(await lab.text()).toBe(odd);
    expect(lab.takeTypes()).toEqual(['accepted', 'written']);
  });

  it('the same bytes again write nothing', async () => {
    await using lab = await SyncLab.create();
    await lab.offer(one.text);
    const before = await stat(lab.file, { bigint: true });
    await lab.offer(one.text);
    const after = await stat(lab.file, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
    expect(lab.takeTypes()).toEqual(['accepted', 'written', 'unchanged same_bytes']);
  });

  it('the same revision with other bytes is written, so that provenance follows, and counts as unchanged', async () => {
    await using lab = await SyncLab.create();
    const later = sample({ generation: 2 });
    expect(later.revision).toBe(one.revision);
    await lab.offer(one.text);
    await lab.offer(later.text);
    expect(await lab.text()).toBe(later.text);
    expect(lab.takeTypes()).toEqual(['accepted', 'written', 'unchanged same_revision', 'written']);
    expect(lab.state.snapshot().sourceGeneration).toBe(2);
  });

  it.each([
    ['malformed_json', one.text.slice(0, -20)],
    ['digest_mismatch', one.text.replace('provider-b', 'provider-x')],
    ['scope_mismatch', sample({ scope: { ...SCOPE, gateway: 'other' } }).text],
    ['unsupported_schema_version', one.text.replace('"1.0.0"', '"1.1.0"')],
    ['scope_required', JSON.stringify((JSON.parse(one.text) as { overlay: unknown }).overlay)],
    ['too_large', one.text + ' '.repeat(1024 * 1024)],
  ])('%s: rejected, the last good one stays, and the next good one ends it', async (code, text) => {
    await using lab = await SyncLab.create();
    await lab.offer(one.text);
    await lab.offer(text);
    expect(await lab.text()).toBe(one.text);
    expect(lab.state.snapshot()).toMatchObject({
      state: 'ready_degraded',
      degradedReason: code,
      writtenOverlayRevision: one.revision,
      problems: [{ reason: code, issues: [{ code }] }],
    });
    await lab.offer(two.text);
    expect(lab.state.snapshot()).toMatchObject({ state: 'ready', degradedReason: null });
    expect(await lab.text()).toBe(two.text);
  });
});

describe('what the source tells besides', () => {
  it.each(['deleted', 'missing_key'] as const)(
    '%s: the file stays, degraded until a document comes',
    async (reason) => {
      await using lab = await SyncLab.create();
      await lab.offer(one.text);
      lab.synchroniser.handle({ type: 'absent', reason, message: 'gone' });
      expect(lab.state.snapshot()).toMatchObject({ state: 'ready_degraded', degradedReason: reason });
      lab.synchroniser.handle({ type: 'alive' });
      expect(lab.state.snapshot().degradedReason).toBe(reason);
      expect(await lab.text()).toBe(one.text);
      await lab.offer(one.text);
      expect(lab.state.snapshot().state).toBe('ready');
    },
  );

  it.each(['api_unavailable', 'stale', 'unreadable'] as const)(
    '%s: until the source answers again',
    async (reason) => {
      await using lab = await SyncLab.create();
      await lab.offer(one.text);
      lab.synchroniser.handle({ type: 'unavailable', reason, message: 'silence' });
      expect(lab.state.snapshot()).toMatchObject({ state: 'ready_degraded', degradedReason: reason });
      lab.synchroniser.handle({ type: 'alive' });
      expect(lab.state.snapshot().state).toBe('ready');
    },
  );

  it('each trouble ends on its own, and keeps the time it began', async () => {
    await using lab = await SyncLab.create();
    await lab.offer(two.text.replace('provider-c', 'provider-x'));
    lab.time.advance(1000);
    lab.synchroniser.handle({ type: 'unavailable', reason: 'api_unavailable', message: 'no' });
    lab.time.advance(1000);
    lab.synchroniser.handle({ type: 'unavailable', reason: 'api_unavailable', message: 'still no' });
    const { state, degradedReason, problems } = lab.state.snapshot();
    expect({ state, degradedReason }).toEqual({ state: 'cold', degradedReason: 'digest_mismatch' });
    expect(problems.map(({ reason, since }) => `${reason} ${since}`)).toEqual([
      'digest_mismatch 2026-01-01T00:00:00.000Z',
      'api_unavailable 2026-01-01T00:00:01.000Z',
    ]);
    await lab.offer(one.text);
    expect(lab.state.snapshot()).toMatchObject({ state: 'ready', problems: [] });
  });
});

describe('the output of a process before', () => {
  it('valid: ready at once, before the source says anything', async () => {
    await using lab = await SyncLab.create();
    lab.synchroniser.adopt(Buffer.from(one.text));
    expect(lab.state.snapshot()).toMatchObject({
      state: 'ready',
      writtenOverlayRevision: one.revision,
      observedOverlayRevision: null,
    });
    await lab.offer(one.text);
    expect(lab.takeTypes()).toContain('unchanged same_bytes');
  });

  it('not valid: left as it is until the source has something better', async () => {
    await using lab = await SyncLab.create();
    lab.synchroniser.adopt(Buffer.from('{}'));
    expect(lab.state.snapshot().state).toBe('cold');
    expect(lab.takeTypes()).toEqual([]);
  });
});

describe('an output that others change', () => {
  it.each([
    ['removed', (lab: SyncLab) => rm(lab.file)],
    ['edited', (lab: SyncLab) => lab.edit('{}')],
    ['cut short', (lab: SyncLab) => lab.edit(one.text.slice(0, 100))],
    ['given a longer text with the same beginning', (lab: SyncLab) => lab.edit(`${one.text} `)],
    ['removed with its folder', (lab: SyncLab) => rm(lab.folder, { recursive: true })],
  ])('%s: restored when the source says the same again', async (_, change) => {
    await using lab = await SyncLab.create();
    await lab.offer(one.text);
    await change(lab);
    await lab.offer(one.text);
    expect(await lab.text()).toBe(one.text);
    expect(lab.takeTypes()).toEqual(['accepted', 'written', 'unchanged same_bytes', 'restored']);
    expect(await readdir(lab.folder)).toEqual(['routing-overlay.json']);
  });
});
