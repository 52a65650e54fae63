// Rewrites cassette files in sealed form: keys sorted, `contentHash` computed from the content.
// Usage, after a build (the hash is the app's own): node tools/seal-cassette.mjs FILE...
// It judges nothing: the app verifies every cassette at its start, and says what is wrong.
import { readFile, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { sealCassette } from '../dist/cassette/hash.js';

await Promise.all(
  argv.slice(2).map(async (file) => writeFile(file, sealCassette(JSON.parse(await readFile(file, 'utf8'))))),
);
