import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { removeLeftovers, replaceFile } from '../../src/index.ts';
import { canUnshare } from '../support/follow-elsewhere.ts';
import { sourceArgs } from '../support/source-args.ts';

const LEFTOVER = '0c0ffee0-0000-4000-8000-000000000000';

describe('replaceFile', () => {
  it('makes the directory, and leaves nothing but the file', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'not', 'yet', 'out');
    await replaceFile(file, Buffer.from('one'));
    await replaceFile(file, Buffer.from('two'), { mode: 0o600 });
    expect(await readFile(file, 'utf8')).toBe('two');
    expect((await stat(file)).mode & 0o777).toBe(0o600 & ~process.umask());
    expect(await readdir(join(dir.path, 'not', 'yet'))).toEqual(['out']);
  });

  it('replaces a link by a file of its own, and leaves what it pointed to', async () => {
    await using dir = await tempDir();
    const [target, file] = [join(dir.path, 'target'), join(dir.path, 'out')];
    await writeFile(target, 'theirs');
    await symlink('target', file);
    await replaceFile(file, Buffer.from('ours'));
    expect(await readFile(target, 'utf8')).toBe('theirs');
    expect((await stat(file)).mode & 0o777).toBe(0o644 & ~process.umask());
  });

  it('shows a reader one of the contents and nothing else, with two writers at a time', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'out');
    const contents = ['a', 'b'].map((letter) => letter.repeat(200_000));
    await replaceFile(file, Buffer.from(contents[0] ?? ''));
    let writing = true;
    const odd: number[] = [];
    const read = async (): Promise<void> => {
      while (writing) {
        const text = await readFile(file, 'utf8');
        if (!contents.includes(text)) odd.push(text.length);
      }
    };
    const reader = read();
    for (let i = 0; i < 20; i++) {
      await Promise.all(contents.map((content) => replaceFile(file, Buffer.from(content))));
    }
    writing = false;
    await reader;
    expect(odd).toEqual([]);
    expect(await readdir(dir.path)).toEqual(['out']);
  });

  it('that fails at the rename throws, and leaves no temporary file', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'out');
    await mkdir(join(file, 'taken'), { recursive: true });
    await expect(replaceFile(file, Buffer.from('new'))).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
    expect(await readdir(dir.path)).toEqual(['out']);
  });

  it('that finds a file in the place of the directory throws, and leaves that alone', async () => {
    await using dir = await tempDir();
    const taken = join(dir.path, 'directory');
    await writeFile(taken, 'in the way');
    await expect(replaceFile(join(taken, 'out'), Buffer.from('new'))).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await readFile(taken, 'utf8')).toBe('in the way');
    expect(await readdir(dir.path)).toEqual(['directory']);
  });

  it('on a full disk throws; the old file stands, and the temporary one is gone', async ({ skip }) => {
    await using dir = await tempDir();
    const setup = `mount -t tmpfs -o size=64k tmpfs "${dir.path}"`;
    if (!canUnshare('-Urm', setup)) skip('this machine has no namespaces to mount a small disk in');
    const child = sourceArgs(new URL('../support/replace-child.ts', import.meta.url));
    const command = [process.execPath, ...child, join(dir.path, 'out')];
    const told = execFileSync('unshare', ['-Urm', 'sh', '-c', `${setup} && exec "$@"`, 'sh', ...command], {
      encoding: 'utf8',
    });
    expect(JSON.parse(told)).toEqual({ code: 'ENOSPC', text: 'old', names: ['out'] });
  });
});

describe('removeLeftovers', () => {
  it('takes what a killed process left beside the file, and nothing that belongs to others', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'out.json');
    const others = [
      `.other.json.tmp-${LEFTOVER}`,
      `.out.json.tmp-x.tmp-${LEFTOVER}`,
      'notes.txt',
      'out.json',
    ];
    for (const name of [`.out.json.tmp-${LEFTOVER}`, ...others]) await writeFile(join(dir.path, name), '');
    await removeLeftovers(file);
    expect((await readdir(dir.path)).sort()).toEqual(others.sort());
    await removeLeftovers(join(dir.path, 'no', 'such', 'file'));
  });
});
