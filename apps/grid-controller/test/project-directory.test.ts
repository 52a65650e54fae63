import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { projectDirectory } from '../src/publish/project-directory.ts';

const NOW = new Date('2026-11-29T12:00:00Z');

describe('projectDirectory', () => {
  it('a reader never sees one file of the old version beside one of the new', async () => {
    await using dir = await tempDir();
    const target = join(dir.path, 'out');
    await projectDirectory(target, { a: '0', b: '0' }, NOW);
    let done = false;
    const mixed: string[] = [];
    const reader = (async () => {
      while (!done) {
        const version = await readlink(join(target, '..data'));
        const read = (name: string): Promise<string | null> =>
          readFile(join(target, version, name), 'utf8').catch(() => null);
        const [a, b] = await Promise.all([read('a'), read('b')]);
        if (a !== null && b !== null && a !== b) mixed.push(`${a} ${b}`);
      }
    })();
    for (let version = 1; version <= 50; version++) {
      await projectDirectory(target, { a: String(version), b: String(version) }, NOW);
    }
    done = true;
    await reader;
    expect(mixed).toEqual([]);
    expect(await readFile(join(target, 'a'), 'utf8')).toBe('50');
  });

  it('leaves one version behind, whatever a crash left before, and nothing else is touched', async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, '..2020_01_01_00_00_00_000.dead'));
    await symlink('..nowhere', join(dir.path, '..data_tmp'));
    await writeFile(join(dir.path, 'a'), 'a plain file of another writer');
    await writeFile(join(dir.path, 'notes.txt'), 'not ours');
    await projectDirectory(dir.path, { a: '1' }, NOW);
    expect((await readdir(dir.path)).map((name) => name.replace(/^\.\.2026.*/, 'version')).sort()).toEqual([
      '..data',
      'a',
      'notes.txt',
      'version',
    ]);
    expect(await readlink(join(dir.path, 'a'))).toBe('..data/a');
  });

  it('when the content cannot be written the old one still stands', async () => {
    await using dir = await tempDir();
    await projectDirectory(dir.path, { a: '1' }, NOW);
    await expect(projectDirectory(dir.path, { 'no/such/folder': 'x', a: '2' }, NOW)).rejects.toThrow(
      'ENOENT',
    );
    expect(await readFile(join(dir.path, 'a'), 'utf8')).toBe('1');
    expect((await readdir(dir.path)).filter((name) => name.startsWith('..2026'))).toHaveLength(1);
  });

  it('a folder that is in the way of a link leaves no temporary link, and no version more at each try', async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, 'b/full'), { recursive: true });
    for (const text of ['1', '2', '3']) {
      await expect(projectDirectory(dir.path, { a: text, b: text }, NOW)).rejects.toThrow(/EISDIR|ENOTEMPTY/);
      expect(await readFile(join(dir.path, 'a'), 'utf8')).toBe(text);
    }
    const names = await readdir(dir.path);
    expect(names.filter((name) => name.startsWith('..2026'))).toHaveLength(1);
    expect(names.filter((name) => name.endsWith('_tmp'))).toEqual([]);
  });

  it('a ..data that is a folder is an error that leaves nothing behind', async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, '..data/full'), { recursive: true });
    await expect(projectDirectory(dir.path, { a: '1' }, NOW)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(dir.path)).toEqual(['..data']);
  });
});
