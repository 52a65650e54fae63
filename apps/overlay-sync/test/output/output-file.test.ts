import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { sample } from '../support/overlays.ts';
import { SyncLab } from '../support/sync-lab.ts';

const one = sample();
const two = sample({ clusters: ['provider-c'] });

describe('OutputFile', () => {
  it('an event in the folder is cause to look; a removed file comes back', async () => {
    await using lab = await SyncLab.create();
    await lab.offer(one.text);
    lab.output.start();
    await lab.output.look();
    lab.takeTypes();
    await rm(lab.file);
    // The hint arms the debounce, which the test lets pass.
    await waitUntil(() => lab.time.pending[0] === 100, { what: 'a hint' });
    lab.time.advance(100);
    await lab.seen('written');
    expect(await lab.text()).toBe(one.text);
    expect(lab.takeTypes()).toEqual(['restored']);
  });

  it('without any event, the poll finds it', async () => {
    await using lab = await SyncLab.create();
    lab.output.start();
    await lab.offer(one.text);
    lab.takeTypes();
    await lab.edit('edited');
    lab.time.advance(5000);
    await lab.seen('written');
    expect(await lab.text()).toBe(one.text);
  });

  it('a folder in its place: write_failed with path and reason, retried with growing pauses, then it is over', async () => {
    await using lab = await SyncLab.create();
    await mkdir(lab.file, { recursive: true });
    await lab.offer(one.text);
    expect(lab.state.snapshot()).toMatchObject({ state: 'cold', degradedReason: 'write_failed' });
    expect(lab.state.snapshot().problems[0]?.message).toContain(`${lab.file}: `);
    expect(await readdir(lab.folder)).toEqual(['routing-overlay.json']);
    const pauses: number[] = [];
    for (let i = 0; i < 3; i++) {
      lab.takeTypes();
      pauses.push(lab.time.pending.at(-1) ?? 0);
      lab.time.advance(lab.time.pending.at(-1) ?? 0);
      await lab.seen('write_failed');
    }
    expect(pauses).toEqual([1000, 2000, 4000]);
    await rm(lab.file, { recursive: true });
    lab.time.advance(8000);
    await lab.seen('written');
    expect(lab.state.snapshot()).toMatchObject({ state: 'ready', degradedReason: null });
  });

  it('the stir that a failed attempt makes in the folder does not hurry the next one', async () => {
    await using lab = await SyncLab.create();
    await mkdir(lab.file, { recursive: true });
    await lab.offer(one.text);
    for (let i = 0; i < 5; i++) await lab.output.look();
    expect(lab.takeTypes()).toEqual(['accepted', 'write_failed']);
    // A new document is another matter.
    await lab.offer(two.text);
    expect(lab.takeTypes()).toEqual(['accepted', 'write_failed']);
  });

  it('when the write fails the old file stands, and a newer document is what is written in the end', async () => {
    await using lab = await SyncLab.create();
    await lab.offer(one.text);
    // The folder becomes a file: nothing can be written there, whoever the user is.
    await rm(lab.folder, { recursive: true });
    await writeFile(lab.folder, 'in the way');
    await lab.offer(two.text);
    expect(lab.state.snapshot()).toMatchObject({
      state: 'ready_degraded',
      degradedReason: 'write_failed',
      observedOverlayRevision: two.revision,
      writtenOverlayRevision: one.revision,
    });
    await rm(lab.folder);
    lab.time.advance(1000);
    await waitUntil(() => lab.state.snapshot().state === 'ready');
    expect(await lab.text()).toBe(two.text);
  });

  it('close waits for the write that runs, and nothing is armed afterwards', async () => {
    await using lab = await SyncLab.create();
    lab.output.start();
    lab.output.want({ bytes: Buffer.from(one.text), revision: one.revision });
    await lab.output.close();
    expect(lab.time.pending).toEqual([]);
  });

  it('a write that fails while it is being closed leaves no next attempt behind', async () => {
    await using lab = await SyncLab.create();
    await mkdir(lab.file, { recursive: true });
    lab.output.want({ bytes: Buffer.from(one.text), revision: one.revision });
    // The look has begun by the time of the close, and fails after it.
    await lab.output.close();
    expect(lab.takeTypes()).toEqual(['write_failed']);
    expect(lab.time.pending).toEqual([]);
  });
});
