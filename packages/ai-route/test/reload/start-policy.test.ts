import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { RouterOptionsError, RouterStartError } from '../../src/index.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { MODEL, siteOf } from '../support/overlays.ts';

const ADVICE =
  'put a valid overlay there, or set reload.onMissing to "wait" to start without one and answer requests once it is there';

async function thrown(start: Promise<unknown>): Promise<unknown> {
  return start.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('without a valid overlay at start', () => {
  it('refuses by default, with one message that says where, what and what to do', async () => {
    await using lab = await OverlayLab.create();
    const error = await thrown(lab.follow());
    expect(error).toBeInstanceOf(RouterStartError);
    expect(error).toMatchObject({
      message: `the router can't start without its routing overlay: ${lab.file} does not exist\n${ADVICE}`,
    });
  });

  it('names the copy too, when that is no better', async () => {
    await using lab = await OverlayLab.create();
    const copy = join(lab.root, 'last-good.json');
    await writeFile(lab.file, '{}');
    await writeFile(copy, '{');
    const { message } = (await thrown(lab.follow({ reload: { lastGoodFile: copy } }))) as Error;
    expect(message).toContain(`can't start without its routing overlay: ${lab.file} is not a valid`);
    expect(message).toContain(`the last good copy can't be used either: ${copy} is not a valid`);
    expect(message.endsWith(ADVICE)).toBe(true);
  });

  it.each(['absent', 'bad'])('waits for one when told to, the file being %s', async (what) => {
    await using lab = await OverlayLab.create();
    if (what === 'bad') await writeFile(lab.file, '{"half":');
    const { router, events } = await lab.follow({ reload: { onMissing: 'wait' } });
    expect(events.all).toMatchObject([
      { type: what === 'bad' ? 'rejected' : 'unreadable', servingRevision: null },
    ]);
    expect(router.select(MODEL)).toEqual({
      ok: false,
      reason: 'not_ready',
      skipped: [],
      servingRevision: null,
    });
    expect(router.explain(MODEL)).toMatchObject({ outcome: 'not_ready', servingRevision: null });
    expect([...router.routes()]).toEqual([]);
    expect(router.status()).toMatchObject({
      health: { state: 'not_ready', reasons: [{ code: 'no_overlay' }] },
      acceptedRevision: null,
      servingRevision: null,
      servedFrom: null,
      loadedAt: null,
      ageSeconds: null,
      watch: 'events+poll',
    });
    const { text, revision } = lab.fresh();
    await lab.publish(text);
    await events.accepted(revision);
    expect(siteOf(router.select(MODEL))).toBe('a');
    expect(router.status()).toMatchObject({
      health: { state: 'ready', reasons: [] },
      servingRevision: revision,
      servedFrom: 'source',
      counters: { accepted: 1 },
    });
    expect(router.status().lastRejected).toBeUndefined();
  });

  it('waits for the directory as well', async () => {
    await using lab = await OverlayLab.create();
    const overlayFile = join(lab.root, 'not', 'yet', 'overlay.json');
    const { router, events } = await lab.follow({ overlayFile, reload: { onMissing: 'wait' } });
    const { text, revision } = lab.fresh();
    await mkdir(join(lab.root, 'not', 'yet'), { recursive: true });
    await writeFile(overlayFile, text);
    await events.accepted(revision);
    expect(router.status().watch).toBe('events+poll');
  });

  it('closes while waiting', async () => {
    await using lab = await OverlayLab.create();
    const { router } = await lab.follow({ reload: { onMissing: 'wait' } });
    await router.close();
    expect(router.status()).toMatchObject({ watch: 'off', servingRevision: null });
  });
});

describe('the last good copy', () => {
  async function labWithCopy() {
    const lab = await OverlayLab.create();
    const copy = join(lab.root, 'state', 'last-good.json');
    return {
      lab,
      copy,
      reload: { lastGoodFile: copy },
      [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
    };
  }

  it('is the accepted document, byte for byte, and follows it', async () => {
    await using setup = await labWithCopy();
    const { lab, copy, reload } = setup;
    const first = lab.fresh();
    await lab.publish(first.text);
    const { router, events } = await lab.follow({ reload });
    await waitUntil(async () => (await readFile(copy, 'utf8')) === first.text);
    await lab.publish('{"broken');
    await events.next('rejected');
    const second = lab.fresh();
    await lab.publish(second.text);
    await events.accepted(second.revision);
    await router.close();
    expect(await readFile(copy, 'utf8')).toBe(second.text);
    expect(router.status().lastGoodFile).toMatchObject({ path: copy, error: null });
    expect(router.status().lastGoodFile?.savedAt).toBeTypeOf('number');
  });

  it('B76: v1 good, v2 good, v3 bad, restart: v2 serves, and the overlay file is never written', async () => {
    await using setup = await labWithCopy();
    const { lab, reload } = setup;
    await lab.publish(lab.fresh().text);
    const before = await lab.follow({ reload });
    const v2 = lab.fresh();
    await lab.publish(v2.text);
    await before.events.accepted(v2.revision);
    await lab.publish('{"v3": "bad"}');
    await before.events.next('rejected');
    await before.router.close();

    const { router, events } = await lab.follow({ reload });
    expect(events.types()).toEqual(['restored', 'rejected']);
    expect(router.status()).toMatchObject({
      servingRevision: v2.revision,
      servedFrom: 'last_good_file',
      lastRejected: { code: expect.any(String) as string },
      health: {
        state: 'degraded',
        reasons: [{ code: 'source_rejected' }, { code: 'last_good_copy' }],
      },
      counters: { accepted: 0, rejected: 1 },
    });
    expect(siteOf(router.select(MODEL))).toBe('a');
    expect(await readFile(lab.file, 'utf8')).toBe('{"v3": "bad"}');

    await lab.publish(v2.text);
    await events.next('unchanged');
    expect(router.status()).toMatchObject({ servedFrom: 'source', health: { state: 'ready' } });
  });

  it('serves when the overlay file is gone, and gives way when it is back', async () => {
    await using setup = await labWithCopy();
    const { lab, reload } = setup;
    const first = lab.fresh();
    await lab.publish(first.text);
    await (await lab.follow({ reload })).router.close();
    await rm(lab.file);
    const { router, events } = await lab.follow({ reload });
    expect(router.status()).toMatchObject({
      servingRevision: first.revision,
      lastRejected: { code: 'missing' },
    });
    const second = lab.fresh();
    await lab.publish(second.text);
    await events.accepted(second.revision);
    expect(router.status().health).toEqual({ state: 'ready', reasons: [] });
  });

  it('is not needed when the overlay file is good, however old the copy', async () => {
    await using setup = await labWithCopy();
    const { lab, copy, reload } = setup;
    await mkdir(join(lab.root, 'state'));
    await writeFile(copy, lab.fresh().text);
    const { text, revision } = lab.fresh();
    await lab.publish(text);
    const { router } = await lab.follow({ reload });
    expect(router.status()).toMatchObject({ servingRevision: revision, health: { state: 'ready' } });
  });

  it('must pass the same checks', async () => {
    await using setup = await labWithCopy();
    const { lab, copy, reload } = setup;
    await mkdir(join(lab.root, 'state'));
    await writeFile(copy, lab.fresh().text);
    const start = lab.follow({ reload, expectedScope: { gateway: 'another' } });
    expect(await thrown(start)).toMatchObject({ code: 'overlay_unreadable' });
    expect(((await thrown(start)) as Error).message).toContain('scope_mismatch');
  });

  it.each<[string, (lab: OverlayLab) => string, ((lab: OverlayLab) => string)?]>([
    ['by name', (lab: OverlayLab) => lab.file],
    ['through a link to its directory', (lab: OverlayLab) => join(lab.root, 'link', 'routing-overlay.json')],
    [
      'which is a link to it',
      (lab: OverlayLab) => lab.file,
      (lab: OverlayLab) => join(lab.root, 'link.json'),
    ],
  ])('must not be the overlay file, %s', async (_how, name, follow = (lab) => lab.file) => {
    await using lab = await OverlayLab.create();
    const { text } = lab.fresh();
    await lab.publish(text);
    await symlink(lab.directory, join(lab.root, 'link'));
    await symlink(lab.file, join(lab.root, 'link.json'));
    const error = await thrown(lab.follow({ overlayFile: follow(lab), reload: { lastGoodFile: name(lab) } }));
    expect(error).toBeInstanceOf(RouterOptionsError);
    expect(error).toMatchObject({ issues: [{ path: 'reload.lastGoodFile' }] });
    expect(await readFile(lab.file, 'utf8')).toBe(text);
  });

  it('that can not be written holds up nothing, is reported, and is tried again', async () => {
    await using setup = await labWithCopy();
    const { lab, copy, reload } = setup;
    await lab.publish(lab.fresh().text);
    // A file where its directory should be; as good as a full disk.
    await writeFile(join(lab.root, 'state'), '');
    const { router, events } = await lab.follow({ reload });
    expect(await events.next('last_good_unsaved')).toMatchObject({ file: copy });
    expect(router.status()).toMatchObject({
      health: { state: 'ready' },
      lastGoodFile: { error: expect.stringContaining(copy) as string },
    });
    await rm(join(lab.root, 'state'));
    const { text, revision } = lab.fresh();
    await lab.publish(text);
    await events.accepted(revision);
    await waitUntil(async () => (await readFile(copy, 'utf8')) === text);
    await waitUntil(() => router.status().lastGoodFile?.error === null);
  });

  it('leaves no temporary file behind, and survives a burst with the last document in it', async () => {
    await using setup = await labWithCopy();
    const { lab, copy, reload } = setup;
    await lab.publish(lab.fresh().text);
    // What a killed process left.
    await mkdir(join(lab.root, 'state'));
    const leftover = '.last-good.json.tmp-0c0ffee0-0000-4000-8000-000000000000';
    await writeFile(join(lab.root, 'state', leftover), 'half');
    const { router, events } = await lab.follow({ reload: { ...reload, debounceMs: 0 } });
    let last = lab.fresh();
    for (let i = 0; i < 50; i++) {
      last = lab.fresh();
      await lab.publish(last.text);
    }
    await events.accepted(last.revision);
    await router.close();
    expect(await readFile(copy, 'utf8')).toBe(last.text);
    expect(await readdir(join(lab.root, 'state'))).toEqual(['last-good.json']);
  });
});
