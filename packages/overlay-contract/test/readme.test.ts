import { existsSync, readFileSync } from 'node:fs';
import { runReadmeExample } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { OVERLAY_ISSUE_CODES } from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the example prints what the README says', async () => {
  const printed = /```text\n([\s\S]*?)```/.exec(readme)?.[1]?.trim();
  expect((await runReadmeExample(import.meta.url)).trim()).toBe(printed);
});

it('the table explains every code, once', () => {
  const explained = Array.from(readme.matchAll(/^\| `([a-z0-9_]+)` +\| .+ \| .+ \|$/gm), (match) => match[1]);
  const codes = new Set<string | undefined>(OVERLAY_ISSUE_CODES);
  expect(explained.filter((code) => codes.has(code)).toSorted()).toEqual(OVERLAY_ISSUE_CODES.toSorted());
});

it('the rules name every code, and files that exist', () => {
  const rules = Array.from(
    readme.matchAll(/^\| .+? \| (?:`([a-z0-9_]+)`|accepted) +\| \[(.+?)\]\((.+?)\) +\| .+ \|$/gm),
    ([, code, name, path]) => ({ code, name, path: path ?? '' }),
  );
  const named = new Set(rules.map(({ code }) => code));
  expect(OVERLAY_ISSUE_CODES.filter((code) => !named.has(code))).toEqual([]);
  for (const { name, path } of rules) {
    expect(path.endsWith(String(name))).toBe(true);
    expect([path, existsSync(new URL(`../${path}`, import.meta.url))]).toEqual([path, true]);
  }
});
