import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir, waitUntil } from '@switchyard/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSource } from '../../src/source/file-source.ts';
import type { SourceEvent } from '../../src/source/source.ts';
import { systemTime } from '../../src/time/time.ts';

let dir: TempDir;
let source: FileSource;
let told: SourceEvent[];

const words = (event: SourceEvent): string => {
  if (event.type === 'document') return Buffer.from(event.bytes).toString('utf8');
  return event.type === 'absent' || event.type === 'unavailable' ? event.reason : event.type;
};

function follow(path: string, pollMs = 3_600_000): void {
  source = new FileSource({
    path,
    maxBytes: 64,
    acceptable: (bytes) => Buffer.from(bytes).toString('utf8').startsWith('good'),
    listen: (event) => told.push(event),
    time: systemTime,
    debounceMs: 10,
    pollMs,
    onWatchDegraded: () => undefined,
  });
  source.start();
}

async function tells(text: string): Promise<void> {
  await waitUntil(() => told.map(words).at(-1) === text, { what: text });
}

beforeEach(async () => {
  dir = await tempDir();
  told = [];
});
afterEach(async () => {
  await source.close();
  await dir.remove();
});

describe('FileSource', () => {
  it('a file: told at once, and at each change, each once', async () => {
    const file = join(dir.path, 'overlay.json');
    await writeFile(file, 'good 1');
    follow(file);
    await tells('good 1');
    await writeFile(file, 'good 1');
    await writeFile(join(dir.path, 'tmp'), 'good 2');
    await rename(join(dir.path, 'tmp'), file);
    await tells('good 2');
    expect(told.map(words)).toEqual(['good 1', 'good 2']);
  });

  it('a folder: the routing-overlay.json in it, through the swaps of a projected volume', async () => {
    const swap = async (version: number): Promise<void> => {
      await mkdir(join(dir.path, `..v${version}`));
      await writeFile(join(dir.path, `..v${version}`, 'routing-overlay.json'), `good ${version}`);
      await symlink(`..v${version}`, join(dir.path, '..data_tmp'));
      await rename(join(dir.path, '..data_tmp'), join(dir.path, '..data'));
    };
    await swap(1);
    await symlink('..data/routing-overlay.json', join(dir.path, 'routing-overlay.json'));
    follow(dir.path);
    await tells('good 1');
    for (let version = 2; version <= 4; version++) {
      await swap(version);
      await rm(join(dir.path, `..v${version - 1}`), { recursive: true });
      await tells(`good ${version}`);
    }
  });

  it('need not be there yet, and may come as a file or as a folder', async () => {
    const path = join(dir.path, 'not', 'yet');
    follow(path, 50);
    await tells('deleted');
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'routing-overlay.json'), 'good 1');
    await tells('good 1');
    await rm(path, { recursive: true });
    await tells('deleted');
    await writeFile(path, 'good 2');
    await tells('good 2');
  });

  it('a document half written is read again before it is told', async () => {
    const file = join(dir.path, 'overlay.json');
    await writeFile(file, 'goo');
    follow(file);
    await writeFile(file, 'good 1');
    await tells('good 1');
    expect(told.map(words)).toEqual(['good 1']);
  });

  it('a bad document is told in the end, and once', async () => {
    const file = join(dir.path, 'overlay.json');
    await writeFile(file, 'bad');
    follow(file, 20);
    await tells('bad');
    await writeFile(file, 'good');
    await tells('good');
    expect(told.map(words)).toEqual(['bad', 'good']);
  });

  it('what is too long is told as far as it takes to see that', async () => {
    const file = join(dir.path, 'overlay.json');
    await writeFile(file, 'good'.repeat(1000));
    follow(file);
    await tells(`${'good'.repeat(16)}g`);
  });

  it('a folder where the file should be is unreadable, not deleted', async () => {
    await mkdir(join(dir.path, 'routing-overlay.json'));
    follow(dir.path);
    await tells('unreadable');
  });
});
