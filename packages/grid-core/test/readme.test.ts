import { readFile } from 'node:fs/promises';
import { runReadmeExample } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { GRID_CORE_ERROR_CODES, MANIFEST_ISSUE_CODES, RENDER_FAILURE_CODES } from '../src/index.ts';

describe('README', () => {
  it('its example runs and prints what it says', { timeout: 60_000 }, async () => {
    const output = await runReadmeExample(import.meta.url);
    expect(output.trim()).toBe('provider-a group 0\nprovider-b group 0\nfailures 0');
  });

  it('explains every code', async () => {
    const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    for (const code of [...MANIFEST_ISSUE_CODES, ...RENDER_FAILURE_CODES, ...GRID_CORE_ERROR_CODES]) {
      expect(text, code).toContain(`\`${code}\``);
    }
  });
});
