import type { ChildProcess } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { createRouter } from '../../src/index.ts';
import { largeDocument } from '../support/documents.ts';
import { canUnshare, followElsewhere } from '../support/follow-elsewhere.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';
import { openSourceWorker, startSource } from '../support/source-lab.ts';

/** Directory watches of this process, as Linux counts them. */
async function inotifyWatches(): Promise<number> {
  const names = await readdir('/proc/self/fdinfo').catch(() => []);
  const infos = await Promise.all(
    names.map((name) => readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '')),
  );
  return infos
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('inotify wd:')).length;
}

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd').catch(() => [])).length;

describe('B73: a link that is pointed to another directory', () => {
  it('is followed there, edits in place over there are seen, and no watch stays behind', async () => {
    await using lab = await OverlayLab.create();
    const [one, two] = [join(lab.root, 'one'), join(lab.root, 'two')];
    for (const directory of [one, two]) {
      await mkdir(directory);
      await writeFile(join(directory, 'o.json'), lab.fresh().text);
    }
    await symlink(join(one, 'o.json'), lab.file);
    const { events } = await lab.follow({ reload: { pollMs: 20 } });
    const before = await inotifyWatches();
    for (const [round, target] of [two, one, two].entries()) {
      const there = lab.fresh();
      await writeFile(join(target, 'o.json'), there.text);
      await symlink(join(target, 'o.json'), join(lab.root, `link-${round}`));
      await rename(join(lab.root, `link-${round}`), lab.file);
      await events.accepted(there.revision);
      const edited = lab.fresh();
      await writeFile(join(target, 'o.json'), edited.text);
      await events.accepted(edited.revision);
    }
    expect(await inotifyWatches()).toBe(before);
  });
});

describe('read permission', () => {
  it('lost and regained: the last good one serves meanwhile', async ({ skip }) => {
    // Nothing is forbidden to root, so root becomes somebody else for as long as the test lasts.
    const root = process.geteuid?.() === 0;
    if (process.seteuid === undefined) skip('this system has no users to become');
    await using lab = await OverlayLab.create();
    await chmod(lab.root, 0o777);
    await chmod(lab.directory, 0o777);
    const first = publication({ candidates: [at('a'), at('b')] });
    await lab.publish(first.text);
    try {
      if (root) process.seteuid?.(65_534);
    } catch (error) {
      skip(`this process may not become somebody else: ${String(error)}`);
    }
    const { router, events } = await lab.follow({ reload: { pollMs: 20 } });
    try {
      const asOwner = async (mode: number): Promise<void> => {
        if (root) process.seteuid?.(0);
        await chmod(lab.file, mode);
        if (root) process.seteuid?.(65_534);
      };
      await asOwner(0o000);
      expect(await events.next('unreadable')).toMatchObject({ code: 'unreadable' });
      expect(router.status()).toMatchObject({
        servingRevision: first.revision,
        health: { state: 'degraded', reasons: [{ code: 'source_unreadable' }] },
      });
      expect(siteOf(router.select(MODEL))).toBe('a');
      await asOwner(0o644);
      await events.next('unchanged', ({ reason }) => reason === 'same_revision');
      expect(router.status().health.state).toBe('ready');
      expect(siteOf(router.select(MODEL))).toBe('b');
    } finally {
      if (root) process.seteuid?.(0);
    }
  });

  it('or a directory in the file’s place, and the file back', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events } = await lab.follow();
    await rm(lab.file);
    await mkdir(lab.file);
    expect(await events.next('unreadable')).toMatchObject({ code: 'not_a_file' });
    await rm(lab.file, { recursive: true });
    const { text, revision } = lab.fresh();
    await lab.publish(text);
    await events.accepted(revision);
  });
});

describe.each([
  ['instances', 'EMFILE'],
  ['watches', 'ENOSPC'],
])('when the system is out of inotify %s', (resource, code) => {
  it('polls, says so, and misses nothing', async ({ skip }) => {
    const setup = `echo 0 > /proc/sys/user/max_inotify_${resource}`;
    if (!canUnshare('-Ur', setup)) skip('this machine has no user namespaces to take inotify away in');
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { events, watch, stop } = followElsewhere('-Ur', setup, lab.file);
    try {
      expect(await events.next('watch_degraded')).toMatchObject({ code });
      expect(await watch).toBe('poll');
      for (let round = 0; round < 3; round++) {
        const { text, revision } = lab.fresh();
        await lab.publish(text);
        await events.accepted(revision);
      }
    } finally {
      await stop();
    }
  });
});

describe('a file that is mounted by itself', () => {
  it('is reported: it will never change', async ({ skip }) => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const inside = join(lab.root, 'inside.json');
    await writeFile(inside, '');
    const setup = `mount --bind "${lab.file}" "${inside}"`;
    if (!canUnshare('-Urm', setup)) skip('this machine has no namespaces to mount in');
    const { events, stop } = followElsewhere('-Urm', setup, inside);
    try {
      expect(await events.next('static_mount')).toMatchObject({ file: inside });
    } finally {
      await stop();
    }
  });
});

describe('starting and stopping', () => {
  it('1,000 times leaks no file, watch or handle', { timeout: 60_000 }, async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const options = { overlayFile: lab.file, reload: { lastGoodFile: join(lab.root, 'copy.json') } };
    const cycle = async (): Promise<void> => (await createRouter(options)).close();
    const handles = (): number => process.getActiveResourcesInfo().length;
    await cycle();
    await waitUntil(async () => (await inotifyWatches()) === 0);
    const [files, resources] = [await openFiles(), handles()];
    for (let round = 0; round < 1000; round++) await cycle();
    await waitUntil(async () => (await inotifyWatches()) === 0);
    await waitUntil(async () => (await openFiles()) <= files + 2);
    await waitUntil(() => handles() <= resources + 2);
  });

  it('ends the worker process each time', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(largeDocument(1000).text);
    const ended: Promise<unknown>[] = [];
    const openWorker = () => {
      const worker = openSourceWorker();
      ended.push(new Promise((resolve) => worker.once('exit', resolve)));
      return worker;
    };
    for (let round = 0; round < 3; round++) {
      const { source, served } = await startSource(lab.file, { openWorker });
      expect(served).toHaveLength(1);
      await source.close();
    }
    expect(ended).toHaveLength(3);
    await Promise.all(ended);
  });
});

describe('a large overlay', () => {
  it('is followed through the worker process like any other', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(largeDocument(1000).text);
    let opened = 0;
    const openWorker = () => {
      opened++;
      return openSourceWorker();
    };
    const { source, events, served } = await startSource(lab.file, { openWorker });
    for (let salt = 1; salt <= 3; salt++) {
      const { text, revision } = largeDocument(1000, salt);
      await lab.publish(text);
      await events.accepted(revision);
    }
    await lab.publish(largeDocument(1000, 4).text.slice(0, -10));
    expect(await events.next('rejected')).toMatchObject({ code: 'malformed_json' });
    await lab.publish(largeDocument(1000, 3).text);
    await events.next('unchanged', ({ reason }) => reason === 'same_revision');
    expect(opened).toBe(1);
    expect(served).toHaveLength(4);
    await source.close();
  });

  it('is read again at the next poll when the worker process dies over it, though it stays as it is', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(largeDocument(1000).text);
    const opened: ChildProcess[] = [];
    const openWorker = () => {
      const worker = openSourceWorker();
      opened.push(worker);
      return worker;
    };
    const { source, events } = await startSource(lab.file, { openWorker }, { pollMs: 50 });
    const stdin = opened[0]?.stdin as Socket;
    // It stands still with its next job, and dies.
    opened[0]?.kill('SIGSTOP');
    const { bytesWritten } = stdin;
    const { text, revision } = largeDocument(1000, 1);
    await lab.publish(text);
    await waitUntil(() => stdin.bytesWritten > bytesWritten);
    opened[0]?.kill('SIGKILL');
    expect(await events.next('unreadable')).toMatchObject({ code: 'worker_died' });
    await events.accepted(revision);
    expect(opened).toHaveLength(2);
    await source.close();
  });

  it('is served all the same when there is no worker process, and that is reported once', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(largeDocument(1000).text);
    const openWorker = () => {
      throw new Error('no processes here');
    };
    const { source, events, served } = await startSource(lab.file, { openWorker });
    const { text, revision } = largeDocument(1000, 1);
    await lab.publish(text);
    await events.accepted(revision);
    expect(events.types().filter((type) => type === 'worker_failed')).toHaveLength(1);
    expect(served).toHaveLength(2);
    await source.close();
  });

  it('that is being read when the router is closed is not served', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(largeDocument(1000).text);
    const { source, served } = await startSource(lab.file, { openWorker: openSourceWorker });
    await lab.publish(largeDocument(1000, 1).text);
    await source.close();
    expect(served).toHaveLength(1);
  });
});
