import { chmod, mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { SCOPE, sample } from './support/overlays.ts';
import { RunningSync } from './support/running-sync.ts';

const one = sample();
const two = sample({ clusters: ['provider-c'] });

describe('a file as the source', () => {
  it('cold and not ready without, then ready; every admin page answers', async () => {
    await using sync = await RunningSync.create();
    const file = join(sync.dir.path, 'in.json');
    await sync.start({ file: './in.json' });
    await sync.is('cold deleted');
    expect((await sync.get('/livez')).status).toBe(200);
    const { status, text } = await sync.get('/readyz');
    expect(status).toBe(503);
    expect(text).toContain('no valid overlay was written yet');
    await writeFile(file, one.text);
    await sync.is('ready');
    await sync.writes(one.text);
    expect((await sync.get('/readyz')).status).toBe(200);
    expect(await sync.status()).toMatchObject({
      source: 'file',
      file,
      output: sync.output,
      observedOverlayRevision: one.revision,
      writtenOverlayRevision: one.revision,
      sourceGeneration: 1,
      problems: [],
    });
    const { lastObservedAt, lastWrittenAt } = await sync.status();
    for (const time of [lastObservedAt, lastWrittenAt]) expect(time).toMatch(/^\d{4}-.*Z$/);
  });

  it('metrics count it all, and no label holds a revision', async () => {
    await using sync = await RunningSync.create();
    const file = join(sync.dir.path, 'in.json');
    await writeFile(file, one.text);
    await sync.start({ file: './in.json' });
    await sync.writes(one.text);
    await writeFile(file, '{}');
    await sync.is('ready_degraded scope_required');
    await writeFile(file, sample({ generation: 2 }).text);
    await sync.is('ready');
    await sync.writes(sample({ generation: 2 }).text);
    // It counts as settled a moment after it can be read; an edit before that would be no restoration.
    await waitUntil(async () => (await sync.metric('file_writes_total{outcome="written"}')) === 2);
    await writeFile(sync.output, 'edited');
    await waitUntil(async () => (await sync.metric('file_writes_total{outcome="restored"}')) === 1);
    const values = await Promise.all(
      [
        'events_total{outcome="accepted",reason=""}',
        'events_total{outcome="unchanged",reason="same_revision"}',
        'events_total{outcome="rejected",reason="scope_required"}',
        'validation_failures_total{reason="scope_required"}',
        'validation_failures_total{reason="digest_mismatch"}',
        'file_writes_total{outcome="written"}',
        'file_writes_total{outcome="failed"}',
        'watch_reconnects_total{reason="stream_ended"}',
        'ready',
        'degraded',
        'payload_bytes',
      ].map((series) => sync.metric(series)),
    );
    expect(values).toEqual([1, 1, 1, 1, 0, 2, 0, 0, 1, 0, sample({ generation: 2 }).text.length]);
    const now = Date.now() / 1000;
    expect(Math.abs((await sync.metric('last_write_timestamp_seconds')) - now)).toBeLessThan(60);
    expect(Math.abs((await sync.metric('last_observed_timestamp_seconds')) - now)).toBeLessThan(60);
    const labels = (await sync.get('/metrics')).text.match(/\{[^}]*\}/g) ?? [];
    expect(labels.filter((text) => /[0-9a-f]{12}/.test(text))).toEqual([]);
  });

  it('follows a mounted ConfigMap through the swaps of ..data', async () => {
    await using sync = await RunningSync.create();
    const volume = join(sync.dir.path, 'volume');
    await mkdir(volume);
    const swap = async (name: string, text: string): Promise<void> => {
      await mkdir(join(volume, name));
      await writeFile(join(volume, name, 'routing-overlay.json'), text);
      await symlink(name, join(volume, '..data_tmp'));
      await rename(join(volume, '..data_tmp'), join(volume, '..data'));
    };
    await swap('..v1', one.text);
    await symlink('..data/routing-overlay.json', join(volume, 'routing-overlay.json'));
    await sync.start({ file: './volume' });
    await sync.writes(one.text);
    await swap('..v2', two.text);
    await rm(join(volume, '..v1'), { recursive: true });
    await sync.writes(two.text);
    expect((await stat(sync.output)).isFile()).toBe(true);
  });

  it('a removed, edited or swept away output comes back, while the source is gone, too', async () => {
    await using sync = await RunningSync.create();
    const file = join(sync.dir.path, 'in.json');
    await writeFile(file, one.text);
    await sync.start({ file: './in.json' });
    await sync.writes(one.text);
    await rm(sync.output);
    await sync.writes(one.text);
    await rm(file);
    await sync.is('ready_degraded deleted');
    await writeFile(sync.output, two.text);
    await sync.writes(one.text);
    // In one step: a folder that is emptied first has its file back before it can be removed.
    await rename(join(sync.dir.path, 'out'), join(sync.dir.path, 'swept'));
    await sync.writes(one.text);
    expect((await sync.get('/readyz')).status).toBe(200);
  });
});

describe('an output that cannot be written', () => {
  it('a folder in its place: write_failed, and written once it is gone', async () => {
    await using sync = await RunningSync.create();
    await writeFile(join(sync.dir.path, 'in.json'), one.text);
    await mkdir(sync.output, { recursive: true });
    await sync.start({ file: './in.json' });
    const { problems } = await sync.is('cold write_failed');
    expect(problems[0]?.message).toContain(sync.output);
    await waitUntil(async () => (await sync.metric('file_writes_total{outcome="failed"}')) >= 2);
    expect(await readdir(join(sync.dir.path, 'out'))).toEqual(['routing-overlay.json']);
    await rm(sync.output, { recursive: true });
    await sync.writes(one.text);
    await sync.is('ready');
  });

  // A superuser may write into a read-only folder.
  it.skipIf(process.getuid?.() === 0)(
    'a read-only folder: the old file stays, ready but degraded',
    async () => {
      await using sync = await RunningSync.create();
      const file = join(sync.dir.path, 'in.json');
      await writeFile(file, one.text);
      await sync.start({ file: './in.json' });
      await sync.writes(one.text);
      await chmod(join(sync.dir.path, 'out'), 0o500);
      await writeFile(file, two.text);
      await sync.is('ready_degraded write_failed');
      expect(await sync.text()).toBe(one.text);
      await chmod(join(sync.dir.path, 'out'), 0o700);
      await sync.writes(two.text);
      await sync.is('ready');
    },
  );
});

describe('restart', () => {
  it('a valid output of before is ready at once, without a source', async () => {
    await using sync = await RunningSync.create();
    await mkdir(join(sync.dir.path, 'out'));
    await writeFile(sync.output, one.text);
    await writeFile(
      join(sync.dir.path, 'out', '.routing-overlay.json.tmp-0c0ffee0-0000-4000-8000-000000000000'),
      'half',
    );
    await sync.start({ file: './in.json' });
    const { writtenOverlayRevision, observedOverlayRevision } = await sync.is('ready_degraded deleted');
    expect({ writtenOverlayRevision, observedOverlayRevision }).toEqual({
      writtenOverlayRevision: one.revision,
      observedOverlayRevision: null,
    });
    expect(await readdir(join(sync.dir.path, 'out'))).toEqual(['routing-overlay.json']);
    await rm(sync.output);
    await sync.writes(one.text);
  });

  it.each([
    ['damaged', one.text.slice(0, 300)],
    ['for someone else', sample({ scope: { ...SCOPE, gateway: 'other' } }).text],
  ])('an output that is %s does not count, and is replaced by the first good one', async (_, text) => {
    await using sync = await RunningSync.create();
    await mkdir(join(sync.dir.path, 'out'));
    await writeFile(sync.output, text);
    await sync.start({ file: './in.json' });
    await sync.is('cold deleted');
    expect(await sync.text()).toBe(text);
    await writeFile(join(sync.dir.path, 'in.json'), one.text);
    await sync.writes(one.text);
  });
});
