import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the sources know nothing of what the endpoints are used for', async () => {
  const root = new URL('../src/', import.meta.url).pathname;
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    expect(text, file).not.toMatch(/grid|overlay|provider|admission|affinity/i);
  }
});
