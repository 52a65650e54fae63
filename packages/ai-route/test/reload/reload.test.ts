import { appendFile, mkdir, open, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';

/** Published the way a ConfigMap volume is: a new directory, then `..data` is re-pointed to it in one step. */
async function project(lab: OverlayLab, version: string, text: string): Promise<void> {
  await mkdir(join(lab.directory, version));
  await writeFile(join(lab.directory, version, 'routing-overlay.json'), text);
  await symlink(version, join(lab.directory, '..data_tmp'));
  await rename(join(lab.directory, '..data_tmp'), join(lab.directory, '..data'));
}

describe('following the overlay file', () => {
  it('takes each overlay renamed over the file', async () => {
    await using lab = await OverlayLab.create();
    const first = lab.fresh();
    await lab.publish(first.text);
    const { router, events } = await lab.follow();
    await events.accepted(first.revision);
    for (let round = 0; round < 5; round++) {
      const { text, revision } = lab.fresh();
      await lab.publish(text);
      await events.accepted(revision);
      expect(router.status()).toMatchObject({ acceptedRevision: revision, servingRevision: revision });
    }
  });

  it.each(['keeping', 'deleting'])('takes ConfigMap swaps, %s the old directory', async (habit) => {
    await using lab = await OverlayLab.create();
    await project(lab, '..v0', lab.fresh().text);
    await symlink(join('..data', 'routing-overlay.json'), lab.file);
    const { events } = await lab.follow();
    for (let round = 1; round <= 5; round++) {
      const { text, revision } = lab.fresh();
      await project(lab, `..v${round}`, text);
      if (habit === 'deleting') await rm(join(lab.directory, `..v${round - 1}`), { recursive: true });
      await events.accepted(revision);
    }
  });

  it('takes two swaps that come at once', async () => {
    await using lab = await OverlayLab.create();
    await project(lab, '..v0', lab.fresh().text);
    await symlink(join('..data', 'routing-overlay.json'), lab.file);
    const { events } = await lab.follow();
    for (let round = 1; round <= 8; round++) {
      await project(lab, `..v${round}a`, lab.fresh().text);
      const { text, revision } = lab.fresh();
      await project(lab, `..v${round}b`, text);
      await events.accepted(revision);
    }
  });

  it('waits for a slow writer instead of calling half a document rejected', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    const { text, revision } = lab.fresh();
    const writer = await open(lab.file, 'w');
    for (const part of [text.slice(0, 200), text.slice(200, 400), text.slice(400)]) {
      await writer.write(part);
      await pause(30);
    }
    await writer.close();
    await events.accepted(revision);
    expect(events.types()).not.toContain('rejected');
  });

  it('keeps the last good overlay while the file is broken, and says why', async () => {
    await using lab = await OverlayLab.create();
    const good = publication({ candidates: [at('a'), at('b')] });
    await lab.publish(good.text);
    const { router, events } = await lab.follow();
    expect(siteOf(router.select(MODEL))).toBe('a');
    await lab.publish('{"schema_version": "1.0.0", ');
    expect(await events.next('rejected')).toMatchObject({
      code: 'malformed_json',
      servingRevision: good.revision,
    });
    expect(router.status()).toMatchObject({
      acceptedRevision: good.revision,
      lastRejected: { code: 'malformed_json' },
      counters: { accepted: 1, rejected: 1 },
    });
    // Not even the turn has moved.
    expect(siteOf(router.select(MODEL))).toBe('b');
    await lab.publish(good.text);
    expect(await events.next('unchanged')).toMatchObject({ reason: 'same_revision' });
    expect(router.status().lastRejected).toBeUndefined();
    expect(siteOf(router.select(MODEL))).toBe('a');
  });

  it('names the revision a rejected document claims', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    const { text, revision } = lab.fresh();
    await lab.publish(text.replace('provider-a', 'provider-z'));
    expect(await events.next('rejected')).toMatchObject({ code: 'digest_mismatch', revision });
  });

  it('survives removal and return of the file', async () => {
    await using lab = await OverlayLab.create();
    const first = lab.fresh();
    await lab.publish(first.text);
    const { router, events } = await lab.follow();
    await unlink(lab.file);
    expect(await events.next('unreadable')).toMatchObject({ code: 'missing' });
    expect(siteOf(router.select(MODEL))).toBe('a');
    await lab.publish(first.text);
    await events.next('unchanged');
    expect(router.status().lastRejected).toBeUndefined();
    await unlink(lab.file);
    const { text, revision } = lab.fresh();
    await writeFile(lab.file, text);
    await events.accepted(revision);
  });

  it('survives removal and return of the directory', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    for (let round = 0; round < 3; round++) {
      await rm(lab.directory, { recursive: true });
      await events.next('unreadable');
      await mkdir(lab.directory);
      const { text, revision } = lab.fresh();
      await writeFile(lab.file, text);
      await events.accepted(revision);
    }
  });

  it('survives removal and return of the directory in one go', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    for (let round = 0; round < 5; round++) {
      const { text, revision } = lab.fresh();
      await rm(lab.directory, { recursive: true });
      await mkdir(lab.directory);
      await writeFile(lab.file, text);
      await events.accepted(revision);
    }
  });

  it('survives all that with several routers on one directory', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    // Those that look later must not keep the watch of the directory that is gone alive for the others.
    const followers = await Promise.all(
      [10, 100, 200].map((debounceMs) => lab.follow({ reload: { debounceMs } })),
    );
    for (let round = 0; round < 3; round++) {
      const recreated = lab.fresh();
      await rm(lab.directory, { recursive: true });
      await mkdir(lab.directory);
      await writeFile(lab.file, recreated.text);
      await Promise.all(followers.map(({ events }) => events.accepted(recreated.revision)));
      const { text, revision } = lab.fresh();
      await lab.publish(text);
      await Promise.all(followers.map(({ events }) => events.accepted(revision)));
    }
  });

  it('survives replacement of the directory by another', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    for (let round = 0; round < 3; round++) {
      const { text, revision } = lab.fresh();
      await mkdir(`${lab.directory}.new`);
      await writeFile(join(`${lab.directory}.new`, 'routing-overlay.json'), text);
      await rename(lab.directory, `${lab.directory}.old${round}`);
      await rename(`${lab.directory}.new`, lab.directory);
      await events.accepted(revision);
    }
  });

  it('serves the last of a burst of 100 writes', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    for (const write of [lab.publish.bind(lab), (text: string) => writeFile(lab.file, text)]) {
      let last = lab.fresh();
      for (let i = 0; i < 100; i++) {
        last = lab.fresh();
        await write(last.text);
      }
      await events.accepted(last.revision);
    }
  });

  it('takes no notice of the same bytes written again', async () => {
    await using lab = await OverlayLab.create();
    const { text } = publication({ candidates: [at('a'), at('b')] });
    await lab.publish(text);
    const { router, events } = await lab.follow();
    expect(siteOf(router.select(MODEL))).toBe('a');
    await events.next('unchanged'); // the reading after arming
    await lab.publish(text);
    expect(await events.next('unchanged')).toMatchObject({ reason: 'same_bytes' });
    expect(siteOf(router.select(MODEL))).toBe('b');
  });

  it('takes no notice of other files, whatever they are called', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    await appendFile(join(lab.directory, 'neighbour'), 'noise');
    await events.next('unchanged');
    expect(events.types().filter((type) => type === 'accepted')).toHaveLength(1);
  });
});
