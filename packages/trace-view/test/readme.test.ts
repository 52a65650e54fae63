import { readFile } from 'node:fs/promises';
import { runReadmeExample } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';

describe('the README', () => {
  it('has an example that prints what it says', { timeout: 90_000 }, async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const [, claimed] = /It prints:\n\n```text\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(`${await runReadmeExample(import.meta.url)}\n`).toBe(claimed);
  });
});
