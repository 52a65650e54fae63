import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';

const root = repositoryRoot();
const OWN = 'apps/consumer-gateway/test';
const RECIPES = `${OWN}/recipes`;

const text = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Tests that a document names and that are not there, under the name and in the file that it says. */
function missingTests(document: string, folders: readonly string[]): { named: number; missing: string[] } {
  const named = [...document.matchAll(/`([\w/.-]+\.test\.ts)` "([^"]+)"/g)];
  const missing = named.filter(([, file = '', title = '']) => {
    const paths = folders.map((folder) => join(folder, file)).filter((path) => existsSync(join(root, path)));
    return !paths.some((path) => text(path).includes(title));
  });
  return { named: named.length, missing: missing.map(([whole]) => whole) };
}

it('every test that the README names for a point exists, under that name', () => {
  const readme = text('apps/consumer-gateway/README.md');
  const { named, missing } = missingTests(readme, ['packages/proxy-core-http/test', OWN]);
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThan(30);
});

describe('the table of recipes', () => {
  const table = text(`${RECIPES}/README.md`);
  const rows = table.split('\n').filter((line) => /^\| [BS]\d/.test(line));

  it('names tests that exist, under their names', () => {
    expect(missingTests(table, [RECIPES, OWN, 'packages', '.']).missing).toEqual([]);
  });

  it('has one row per recipe; each names a test, or says why there is none', () => {
    const numbers = rows.map((row) => row.split('|')[1]?.trim() ?? '');
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(100);
    const bare = rows.filter((row) => !/\.test\.ts` "/.test(row) && !/\| does not apply: /.test(row));
    expect(bare).toEqual([]);
  });

  it('has every recipe that a test of this folder bears in its name', () => {
    const borne = readdirSync(join(root, RECIPES))
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => [...text(`${RECIPES}/${file}`).matchAll(/\(((?:[BS]\d+(?:, )?)+)\)/g)])
      .flatMap(([, list = '']) => list.split(', '));
    const known = new Set(rows.map((row) => row.split('|')[1]?.trim()));
    expect(borne.length).toBeGreaterThan(60);
    expect(borne.filter((number) => !known.has(number))).toEqual([]);
  });
});
