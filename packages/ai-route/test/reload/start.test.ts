import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { RouterStartError } from '../../src/index.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';

async function refusal(
  lab: OverlayLab,
  options: Parameters<OverlayLab['follow']>[0] = {},
): Promise<RouterStartError> {
  const error: unknown = await lab.follow(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RouterStartError))
    throw new Error(`expected a RouterStartError, got ${String(error)}`);
  return error;
}

describe('starting from an overlay file', () => {
  it('refuses without a file', async () => {
    await using lab = await OverlayLab.create();
    expect(await refusal(lab)).toMatchObject({ code: 'overlay_unreadable', file: lab.file, issues: [] });
    expect((await refusal(lab)).message).toContain('does not exist');
  });

  it.each([
    ['a directory', (file: string) => mkdir(file)],
    ['a FIFO', async (file: string) => void execFileSync('sh', ['-c', 'mkfifo "$0"', file])],
  ])('refuses %s without hanging', async (_what, make) => {
    await using lab = await OverlayLab.create();
    await make(lab.file);
    expect((await refusal(lab)).message).toContain(`${lab.file} is not a regular file`);
  });

  it('refuses a file that can not be read, keeping the cause', async () => {
    await using lab = await OverlayLab.create();
    await symlink(lab.file, lab.file);
    expect(await refusal(lab)).toMatchObject({ code: 'overlay_unreadable', cause: { code: 'ELOOP' } });
  });

  it('refuses an invalid overlay, naming the file and every issue', async () => {
    await using lab = await OverlayLab.create();
    const { text } = publication({ candidates: [at('a'), at('b')] });
    await writeFile(lab.file, text.replaceAll('inference_model', 'telepathy'));
    const error = await refusal(lab);
    expect(error.code).toBe('overlay_rejected');
    expect(error.issues.length).toBeGreaterThan(1);
    expect(error.message).toContain(lab.file);
    for (const { code } of error.issues) expect(error.message).toContain(code);
  });

  it('refuses an overlay meant for another gateway', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const error = await refusal(lab, { expectedScope: { gateway: 'another' } });
    expect(error.issues.map(({ code }) => code)).toContain('scope_mismatch');
  });

  it('refuses an oversized file, having read no more than one byte too many', async () => {
    await using lab = await OverlayLab.create();
    await writeFile(lab.file, ' '.repeat(5000));
    expect((await refusal(lab, { limits: { maxBytes: 1000 } })).issues).toMatchObject([
      { code: 'too_large' },
    ]);
  });

  it('starts from a bare overlay, which has a revision all the same', async () => {
    await using lab = await OverlayLab.create();
    const { legacyText, revision } = publication({ candidates: [at('a')] });
    await writeFile(lab.file, legacyText);
    const { router } = await lab.follow();
    expect(router.status()).toMatchObject({ servingRevision: revision, sourceGeneration: null });
  });

  it('does not watch when told not to', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh().text);
    const { router } = await lab.follow({ reload: { enabled: false } });
    expect(router.status().watch).toBe('off');
  });

  it('reports what it follows', async () => {
    await using lab = await OverlayLab.create();
    const { text, revision } = publication({ candidates: [at('a'), at('b')], generation: 7 });
    await lab.publish(text);
    const { router, events } = await lab.follow({ knownClusters: ['provider-b'] });
    expect(await events.next('accepted')).toEqual({
      type: 'accepted',
      revision,
      previousRevision: null,
      candidateCount: 2,
      sourceGeneration: 7,
    });
    expect(await events.next('unknown_clusters')).toEqual({
      type: 'unknown_clusters',
      revision,
      clusters: ['provider-a'],
    });
    expect(router.status()).toMatchObject({
      mode: 'overlay',
      sourcePath: lab.file,
      sourceGeneration: 7,
      candidateCount: 2,
      unknownClusters: ['provider-a'],
      watch: 'events+poll',
    });
    expect(siteOf(router.select(MODEL))).toBe('b');
  });
});

describe('an overlay of an older generation', () => {
  it('is accepted, but reported as a rollback', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh({ generation: 5 }).text);
    const { router, events } = await lab.follow();
    const older = lab.fresh({ generation: 4 });
    await lab.publish(older.text);
    expect(await events.next('rollback')).toMatchObject({ sourceGeneration: 4, previousGeneration: 5 });
    await events.accepted(older.revision);
    expect(router.status().sourceGeneration).toBe(4);
  });

  it('of another source is not comparable', async () => {
    await using lab = await OverlayLab.create();
    await lab.publish(lab.fresh({ generation: 5 }).text);
    const { events } = await lab.follow();
    const other = lab.fresh({ generation: 1, sourceUid: 'uid-2' });
    await lab.publish(other.text);
    await events.accepted(other.revision);
    expect(events.types()).not.toContain('rollback');
  });
});
