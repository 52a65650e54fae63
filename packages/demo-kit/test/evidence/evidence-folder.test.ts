import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { FAILURE_FILE, prepareEvidence } from '../../src/evidence/evidence-folder.ts';

it('a run that failed before it had started anything leaves a folder that the next run takes', async () => {
  await using dir = await tempDir();
  await prepareEvidence(dir.path, ['results.json']);
  await writeFile(join(dir.path, FAILURE_FILE), 'the port of the page is in use\n');
  await prepareEvidence(dir.path, ['results.json']);
  expect(await readdir(dir.path)).not.toContain(FAILURE_FILE);
});

it('a folder of somebody else is refused, and nothing in it is touched', async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, FAILURE_FILE), 'mine');
  await expect(prepareEvidence(dir.path, ['results.json'])).rejects.toThrow('no evidence folder');
  expect(await readdir(dir.path)).toEqual([FAILURE_FILE]);
});
