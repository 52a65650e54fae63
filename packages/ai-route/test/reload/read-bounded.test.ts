import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { readBounded } from '../../src/reload/read-bounded.ts';

describe('a bounded reading', () => {
  it.each([
    [0, 0],
    [999, 999],
    [1000, 1000],
    [1001, 1001],
    [50_000, 1001],
  ])('of %d bytes with a limit of 1,000 takes in %d', async (size, taken) => {
    await using directory = await tempDir();
    const file = join(directory.path, 'file');
    await writeFile(file, 'x'.repeat(size));
    const outcome = await readBounded(file, 1000);
    expect(outcome.ok && outcome.bytes.length).toBe(taken);
  });

  it.each([
    ['is absent', 'absent', 'missing'],
    ['has a file where a directory should be', 'file/below', 'missing'],
    ['is a directory', '.', 'not_a_file'],
    ['has a name that no file can have', 'n'.repeat(300), 'unreadable'],
  ])('of what %s says so', async (_what, name, code) => {
    await using directory = await tempDir();
    await writeFile(join(directory.path, 'file'), '');
    const outcome = await readBounded(join(directory.path, name), 1000);
    expect(outcome).toMatchObject({ ok: false, code });
  });
});
