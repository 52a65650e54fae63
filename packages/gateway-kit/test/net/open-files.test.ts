import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { createLogger, warnOfFewOpenFiles } from '../../src/index.ts';

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax processes             unlimited            unlimited            processes \nMax open files            ${soft}                 1048576              files     \n`;

it.each([
  ['1024', 1],
  ['8191', 1],
  ['8192', 0],
  ['unlimited', 0],
])('a limit of %s open files is told %i times', async (soft, times) => {
  await using dir = await tempDir();
  const file = join(dir.path, 'limits');
  await writeFile(file, limits(soft));
  const lines: string[] = [];
  warnOfFewOpenFiles(
    createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } }),
    file,
  );
  expect(lines).toHaveLength(times);
  if (times === 1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', openFilesMax: Number(soft) });
});

it('nothing is told where the limit cannot be read', async () => {
  await using dir = await tempDir();
  const lines: string[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
  warnOfFewOpenFiles(log, join(dir.path, 'absent'));
  expect(lines).toEqual([]);
});
