// A process of its own that replaces a file first by little, then by more than its file system holds, and prints as JSON
// what came of it. Started by replace-file.test.ts.
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../../src/index.ts';

const [file = ''] = process.argv.slice(2);
await replaceFile(file, Buffer.from('old'));
const code = await replaceFile(file, Buffer.alloc(1_000_000)).then(
  () => 'none',
  (error: NodeJS.ErrnoException) => error.code,
);
const [text, names] = [await readFile(file, 'utf8'), await readdir(dirname(file))];
process.stdout.write(JSON.stringify({ code, text, names }));
