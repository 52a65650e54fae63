import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@switchyard/test-kit';
import { expect, it } from 'vitest';

const root = repositoryRoot();
const FOLDERS = ['packages/proxy-core-http/test', 'apps/consumer-gateway/test'];

it('every test that the README names for a point exists, under that name', () => {
  const readme = readFileSync(join(root, 'apps/consumer-gateway/README.md'), 'utf8');
  const named = [...readme.matchAll(/`([\w/.-]+\.test\.ts)` "([^"]+)"/g)];
  expect(named.length).toBeGreaterThan(30);
  const missing = named
    .map(([, file = '', title = '']) => ({ file, title }))
    .filter(({ file, title }) => {
      const paths = FOLDERS.map((folder) => join(root, folder, file)).filter((path) => existsSync(path));
      return !paths.some((path) => readFileSync(path, 'utf8').includes(title));
    });
  expect(missing).toEqual([]);
});
