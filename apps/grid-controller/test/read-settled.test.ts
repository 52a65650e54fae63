import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManifestFile } from '@switchyard/grid-core';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { readResources } from '../src/resources/read-resources.ts';
import { createSettledReader } from '../src/resources/read-settled.ts';

const file = (text: string): ManifestFile[] => [{ path: 'a.yaml', text }];

/** A reader over answers that come one after another; the last one stays. Counts the reads and pauses. */
function scripted(answers: readonly (string | Error)[]): {
  read: () => Promise<readonly ManifestFile[]>;
  log: string[];
} {
  const log: string[] = [];
  let next = 0;
  const read = createSettledReader({
    async read() {
      const answer = answers[Math.min(next++, answers.length - 1)] ?? '';
      log.push('read');
      if (answer instanceof Error) throw answer;
      return file(answer);
    },
    async pause() {
      log.push('pause');
    },
  });
  return { read, log };
}

describe('createSettledReader', () => {
  it('a file caught while it is written is not returned before it is whole, although its half is valid YAML', async () => {
    await using dir = await tempDir();
    const path = join(dir.path, 'providers.yaml');
    await writeFile(path, 'kind: A\n');
    let missing = ['---\nkind: B\n', '---\nkind: C\n'];
    const read = createSettledReader({
      read: () => readResources(dir.path),
      async pause() {
        const [part, ...rest] = missing;
        missing = rest;
        if (part !== undefined) await appendFile(path, part);
      },
    });
    expect((await read())[0]?.text).toBe('kind: A\n---\nkind: B\n---\nkind: C\n');
  });

  it('known content is returned after one read, new content after two', async () => {
    const { read, log } = scripted(['1', '1', '1', '2']);
    await read();
    await read();
    expect(log).toEqual(['read', 'pause', 'read', 'read']);
    expect(await read()).toEqual(file('2'));
    expect(log.slice(4)).toEqual(['read', 'pause', 'read']);
  });

  it('a file that is gone for a moment is looked for again; one that stays gone is an error', async () => {
    expect(await scripted([new Error('ENOENT'), '1', '1']).read()).toEqual(file('1'));
    expect(await scripted(['1', new Error('ENOENT'), '2', '2']).read()).toEqual(file('2'));
    await expect(scripted([new Error('ENOENT')]).read()).rejects.toThrow('ENOENT');
  });

  it('a folder that never rests is an error and not a guess', async () => {
    const { read } = scripted(Array.from({ length: 100 }, (_, n) => String(n)));
    await expect(read()).rejects.toThrow('changed at each of 20 looks');
  });
});
