// Bundles the page into dist/browser: one HTML file, one script, one stylesheet, nothing from anywhere else.
import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: [
    { in: here('main.tsx'), out: 'page' },
    { in: here('style/page.css'), out: 'page' },
  ],
  outdir: here('../dist/browser'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  tsconfig: here('tsconfig.json'),
});
await copyFile(here('index.html'), here('../dist/browser/index.html'));
