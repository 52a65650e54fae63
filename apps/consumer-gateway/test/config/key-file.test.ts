import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RouterOptionsError } from '@switchyard/ai-route';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { readKeyFile } from '../../src/config/key-file.ts';

async function read(text: string | undefined): Promise<readonly Uint8Array[] | string> {
  await using dir = await tempDir();
  const file = join(dir.path, 'keys');
  if (text !== undefined) await writeFile(file, text);
  try {
    return readKeyFile(file);
  } catch (error) {
    if (!(error instanceof RouterOptionsError)) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message}`).join();
  }
}

describe('a key file', () => {
  const [one, two] = [randomBytes(32), randomBytes(48)];

  it('has a key per line in base64 of either alphabet, with comments and empty lines between', async () => {
    const text = `# signs since March\n${one.toString('base64')}\n\n  ${two.toString('base64url')}\r\n`;
    expect(await read(text)).toEqual([one, two]);
  });

  it.each([
    ['is missing', undefined, /affinity\.keyFile: cannot be read: ENOENT/],
    ['has no key', '# none yet\n', /has no key; make one with: openssl rand -base64 32/],
    ['has a short key', `${randomBytes(32).toString('base64')}\nc2hvcnQ=`, /line 2 of .* is no key/],
    [
      'has a line that is not base64',
      'not base64 at all, though it is long enough to be a key!',
      /line 1 of/,
    ],
  ])('that %s is refused, without showing what it holds', async (_what, text, message) => {
    const problem = await read(text);
    expect(problem).toMatch(message);
    for (const secret of ['c2hvcnQ', 'long enough']) expect(problem).not.toContain(secret);
  });
});
