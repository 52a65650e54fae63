import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir, waitUntil } from '@switchyard/test-kit';
import type { OverlayEntry } from '@switchyard/trace-view';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ejections } from '../../src/ui/show/ejections.ts';
import { OverlayLog } from '../../src/ui/show/overlay-log.ts';

let dir: TempDir;
let told: OverlayEntry[];
let log: OverlayLog;

beforeEach(async () => {
  dir = await tempDir();
  told = [];
  log = new OverlayLog((entry) => told.push(entry));
});
afterEach(() => dir.remove());

const file = (): string => join(dir.path, 'routing-overlay.json');
const time = '2026-11-30T02:52:01.894Z';

/** Writes an overlay and has the gateway say that it accepted it. */
async function accept(
  revision: string,
  policy: string,
  candidates: Readonly<Record<string, string>>,
): Promise<void> {
  const document = {
    revision: { value: revision },
    overlay: {
      selection_policy: policy,
      candidates: Object.entries(candidates).map(([cluster, admission_state]) => ({
        cluster,
        admission_state,
      })),
    },
  };
  await writeFile(file(), JSON.stringify(document));
  const before = told.length;
  log.logged({ event: 'overlay_accepted', revision, time });
  await waitUntil(() => told.length > before);
}

describe('the timeline of overlays', () => {
  it('keeps what the gateway says before the file is known, in order', async () => {
    log.logged({ event: 'overlay_accepted', revision: 'r1', time });
    await writeFile(file(), JSON.stringify({ revision: { value: 'r1' }, overlay: { candidates: [] } }));
    expect(told).toEqual([]);
    log.follow(file());
    await waitUntil(() => told.length === 1);
    expect(told[0]).toMatchObject({
      outcome: 'accepted',
      revision: 'r1',
      at: time,
      message: 'The first overlay.',
    });
  });

  it('says what each overlay changes', async () => {
    log.follow(file());
    await accept('r1', 'round_robin', { a: 'new_and_existing', b: 'new_and_existing' });
    await accept('r2', 'round_robin', { a: 'new_and_existing', b: 'existing_only' });
    await accept('r3', 'random', { b: 'new_and_existing', c: 'new_and_existing' });
    expect(told.map(({ message }) => message)).toEqual([
      'The first overlay.',
      'b drains.',
      'policy round_robin → random; b takes new requests again; c is back; a is gone.',
    ]);
  });

  it('a refusal has its code and its reason, and what served goes on serving', async () => {
    log.follow(file());
    await accept('r1', 'round_robin', { a: 'new_and_existing' });
    log.logged({
      event: 'overlay_rejected',
      time,
      code: 'malformed_json',
      message: 'document: all of it.',
      issues: [{ message: 'it ends too early.' }],
      servingRevision: 'r1',
    });
    log.logged({ event: 'request', time });
    await waitUntil(() => told.length === 2);
    expect(told[1]).toMatchObject({
      outcome: 'rejected',
      code: 'malformed_json',
      message: 'it ends too early. Overlay r1 goes on serving.',
    });
    expect(log.serving?.revision).toBe('r1');
    log.restored();
    expect(told[2]).toMatchObject({ outcome: 'accepted', revision: 'r1' });
  });

  it('an overlay that was replaced before it could be read has no candidates that are not its own', async () => {
    log.follow(file());
    await accept('r2', 'round_robin', { a: 'new_and_existing' });
    log.logged({ event: 'overlay_accepted', revision: 'r1', time });
    await waitUntil(() => told.length === 2);
    expect(told[1]).toMatchObject({ revision: 'r1', candidates: [], policy: null });
  });
});

describe('the times in which the gateway left a provider out', () => {
  it('begin with an ejection and end with a recovery', () => {
    const ejections = new Ejections();
    expect(ejections.logged({ event: 'request', provider: 'a', time })).toBe(false);
    ejections.logged({ event: 'candidate_ejected', provider: 'a', result: 'connect_failed', time });
    expect([...ejections.now()]).toEqual(['a']);
    ejections.logged({ event: 'candidate_recovered', provider: 'a', time: '2026-11-30T02:52:09.000Z' });
    expect([...ejections.now()]).toEqual([]);
    expect(ejections.entries).toEqual([
      {
        provider: 'a',
        result: 'connect_failed',
        fromMs: Date.parse(time),
        untilMs: Date.parse(time) + 7_106,
      },
    ]);
  });
});
