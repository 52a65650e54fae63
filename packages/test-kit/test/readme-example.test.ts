import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runReadmeExample, tempDir } from '../src/index.ts';

/** A package that exports `answer: number` from a TypeScript source. */
async function plantPackage(example: string): Promise<string> {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  await mkdir(join(dir.path, 'src'));
  await mkdir(join(dir.path, 'test'));
  const exports = { '.': { '@switchyard/source': './src/index.ts', default: './dist/index.js' } };
  await writeFile(
    join(dir.path, 'package.json'),
    JSON.stringify({ name: '@x/planted', type: 'module', exports }),
  );
  await writeFile(join(dir.path, 'src', 'index.ts'), 'export const answer: number = 42;\n');
  await writeFile(join(dir.path, 'README.md'), `# x\n\n\`\`\`ts\nnot this\n\`\`\`\n\n${example}\n`);
  return dir.path;
}

const fenced = (code: string): string => `\`\`\`ts example\n${code}\n\`\`\``;

it('runs the example from sources and leaves nothing behind', async () => {
  const folder = await plantPackage(
    fenced(`import { answer } from '@x/planted';\nconsole.log(answer satisfies number);`),
  );
  expect(await runReadmeExample(folder)).toBe('42');
  expect(await readdir(join(folder, 'test'))).toEqual([]);
});

it('reports what the example throws', async () => {
  const folder = await plantPackage(fenced(`throw new Error('broken example')`));
  await expect(runReadmeExample(folder, { typeCheck: false })).rejects.toThrow(
    /ended with code 1[\s\S]*broken example/,
  );
});

it('reports wrong types', async () => {
  const folder = await plantPackage(
    fenced(`import { answer } from '@x/planted';\nexport const a: string = answer;`),
  );
  await expect(runReadmeExample(folder)).rejects.toThrow(/type errors[\s\S]*TS2322/);
});

it('says when there is no example', async () => {
  await expect(runReadmeExample(await plantPackage(''))).rejects.toThrow(
    'has no block fenced as ```ts example',
  );
});
