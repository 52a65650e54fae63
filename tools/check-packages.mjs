// Packs every publishable package as npm would get it and lets publint and attw judge the tarballs.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules/.bin', name);
const scratch = await mkdtemp(join(tmpdir(), 'switchyard-pack-'));
let failed = 0;

async function check(directory) {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  if (manifest.private === true) return;
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', scratch], { cwd: directory });
  const packed = JSON.parse(stdout);
  const tarball = join(scratch, (packed.filename ?? packed[0].filename).split('/').at(-1));
  const files = (packed.files ?? packed[0].files).map((file) => file.path);
  for (const wanted of ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'dist/index.js.map']) {
    if (!files.includes(wanted))
      report(manifest.name, `the tarball lacks ${wanted}; build first: pnpm turbo build`);
  }
  for (const [tool, ...args] of [
    ['publint', 'run', tarball, '--strict'],
    ['attw', tarball, '--profile', 'esm-only', '--no-emoji'],
  ]) {
    try {
      await run(bin(tool), args, { cwd: directory });
      console.log(`${manifest.name}: ${tool} ok`);
    } catch (error) {
      report(manifest.name, `${tool} found problems:\n${error.stdout}${error.stderr}`);
    }
  }
}

function report(name, message) {
  failed++;
  console.error(`${name}: ${message}`);
}

try {
  for (const name of (await readdir(join(root, 'packages'))).sort())
    await check(join(root, 'packages', name));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
