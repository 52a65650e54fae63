import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TempDir, tempDir } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readInput } from '../../src/overlay/read-input.ts';

let dir: TempDir;
beforeAll(async () => {
  dir = await tempDir();
});
afterAll(() => dir.remove());

const nothing = (): Readable => Readable.from([]);

describe('readInput', () => {
  it('reads files byte for byte, and standard input for -', async () => {
    const file = join(dir.path, 'bytes');
    const bytes = Buffer.from([0xff, 0x00, 0x0a]);
    await writeFile(file, bytes);
    expect(await readInput(file, nothing())).toEqual({ ok: true, bytes });
    expect(await readInput('-', Readable.from([Buffer.from('a'), Buffer.from('b')]))).toEqual({
      ok: true,
      bytes: Buffer.from('ab'),
    });
  });

  it('reads a named pipe', async () => {
    const pipe = join(dir.path, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const [result] = await Promise.all([readInput(pipe, nothing()), writeFile(pipe, 'through')]);
    expect(result).toEqual({ ok: true, bytes: Buffer.from('through') });
  });

  it.each([
    ['missing', 'ENOENT', 'there is no such file'],
    ['.', 'EISDIR', 'it is a folder'],
  ])('says why %s can not be read', async (name, code, reason) => {
    const result = await readInput(join(dir.path, name), nothing());
    expect(result).toMatchObject({ ok: false, failure: { code } });
    expect(result.ok ? '' : result.failure.message).toContain(reason);
  });

  it('gives up on input without end', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1000);
      })(),
    );
    expect(await readInput('-', endless, 10_000)).toMatchObject({ ok: false, failure: { code: 'ETOOBIG' } });
    expect(await readInput('/dev/zero', nothing(), 10_000)).toMatchObject({ ok: false });
  });
});
