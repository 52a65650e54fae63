import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { OverlayLab } from '../support/overlay-lab.ts';
import { deafWatcher, refusedWatcher, startSource } from '../support/source-lab.ts';

describe('between the first reading and the watch', () => {
  it('misses nothing', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { text, revision } = lab.fresh();
    const { source, events } = await startSource(lab.file, { beforeArm: () => lab.publish(text) });
    await events.accepted(revision);
    await source.close();
  });
});

describe('polling', () => {
  it('finds what no event reported', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { source, events } = await startSource(lab.file, { openWatcher: deafWatcher }, { pollMs: 20 });
    for (const write of [lab.publish.bind(lab), (text: string) => writeFile(lab.file, text)]) {
      const { text, revision } = lab.fresh();
      await write(text);
      await events.accepted(revision);
    }
    await source.close();
  });

  it('reads nothing while nothing changes', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    let polls = 0;
    const openWatcher = () => {
      polls++;
      return refusedWatcher('EMFILE');
    };
    const { source, events } = await startSource(lab.file, { openWatcher }, { pollMs: 10 });
    await waitUntil(() => polls > 5);
    expect(events.types().filter((type) => type === 'unchanged')).toHaveLength(1);
    await source.close();
  });

  it.each(['EMFILE', 'ENOSPC'])(
    'carries on alone when the watch fails with %s, and says so once',
    async (code) => {
      await using lab = await OverlayLab.create();
      await lab.publish(lab.fresh().text);
      let refused = true;
      const openWatcher = () => (refused ? refusedWatcher(code) : deafWatcher());
      const { source, events } = await startSource(lab.file, { openWatcher }, { pollMs: 20 });
      expect(await events.next('watch_degraded')).toMatchObject({ code });
      expect(source.watching).toBe('poll');
      for (let round = 0; round < 3; round++) {
        const { text, revision } = lab.fresh();
        await lab.publish(text);
        await events.accepted(revision);
      }
      expect(events.types().filter((type) => type === 'watch_degraded')).toHaveLength(1);
      refused = false;
      await waitUntil(() => source.watching === 'events+poll');
      await source.close();
    },
  );

  it('notices that the directory is a link that now points elsewhere, and watches there', async () => {
    await using lab = await OverlayLab.create();
    const [one, two, link] = ['one', 'two', 'link'].map((name) => join(lab.root, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(one);
    await mkdir(two);
    await writeFile(join(one, 'o.json'), lab.fresh().text);
    await symlink(one, link);
    const { events } = await lab.follow({ overlayFile: join(link, 'o.json'), reload: { pollMs: 50 } });
    const there = lab.fresh();
    await writeFile(join(two, 'o.json'), there.text);
    await symlink(two, join(lab.root, 'link.new'));
    await rename(join(lab.root, 'link.new'), link);
    await events.accepted(there.revision);
    const later = lab.fresh();
    await lab.publish(later.text, join(two, 'o.json'));
    await events.accepted(later.revision);
  });
});

describe('a defect in the validator', () => {
  it('costs that document, not the process, and the next one is judged again', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    let broken = false;
    const parse = {
      maxBytes: 2 ** 24,
      get maxDepth(): number {
        if (broken) throw new Error('out of order');
        return 32;
      },
    };
    const { source, events } = await startSource(lab.file, {}, {}, parse);
    broken = true;
    await lab.publish(lab.fresh().text);
    const rejected = await events.next('rejected');
    expect(rejected).toMatchObject({ code: 'internal_error', issues: [], revision: null });
    expect(rejected.message).toContain('out of order');
    broken = false;
    const { text, revision } = lab.fresh();
    await lab.publish(text);
    await events.accepted(revision);
    await source.close();
  });
});

describe('closing', () => {
  it('ends at once while a bad document is being given time, and serves on', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { source, events, served } = await startSource(lab.file, {});
    await lab.publish('{');
    // Past the debounce, and well within the 350 ms that a bad document is given.
    await pause(100);
    await source.close();
    await source.close();
    await lab.publish(lab.fresh().text);
    expect(served).toHaveLength(1);
    expect(events.types()).not.toContain('rejected');
    expect(source.watching).toBe('off');
  });

  it('ends while the watch is still being set up', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const routers = await Promise.all(Array.from({ length: 5 }, () => lab.follow()));
    await lab.publish(lab.fresh().text);
    await Promise.all(routers.map(({ router }) => router.close()));
  });
});
