import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { overwritesSource } from '../../src/output/overwrites-source.ts';

describe('overwritesSource', () => {
  it('sees through links that lead the writer to the source', async () => {
    await using dir = await tempDir();
    const at = (...parts: string[]): string => join(dir.path, ...parts);
    await mkdir(at('real'));
    await writeFile(at('real', 'overlay.json'), '');
    await symlink('real', at('folder'));
    await symlink(join('real', 'overlay.json'), at('link.json'));
    const source = at('real', 'overlay.json');
    expect(await overwritesSource(source, [source])).toBe(true);
    expect(await overwritesSource(at('folder', 'overlay.json'), [source])).toBe(true);
    expect(await overwritesSource(source, [at('folder', 'overlay.json')])).toBe(true);
    // The source is a link to the output: it would read back what was written.
    expect(await overwritesSource(source, [at('link.json')])).toBe(true);
    // The output is a link to the source: the rename puts a file of its own there.
    expect(await overwritesSource(at('link.json'), [source])).toBe(false);
    expect(await overwritesSource(at('real', 'copy.json'), [source])).toBe(false);
  });

  it('needs neither of them to exist', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'no', 'such.json');
    expect(await overwritesSource(file, [file])).toBe(true);
    expect(await overwritesSource(file, [join(dir.path, 'such.json')])).toBe(false);
  });
});
