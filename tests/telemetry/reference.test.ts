import { join } from 'node:path';
import { repositoryRoot, runNodeToExit } from '@switchyard/test-kit';
import { expect, it } from 'vitest';

it('docs/reference/telemetry.md says what the built apps declare; `node tools/telemetry-reference.mjs` writes it', async () => {
  const tool = join(repositoryRoot(), 'tools/telemetry-reference.mjs');
  const { code, stderr } = await runNodeToExit([tool, '--check'], { timeoutMs: 60_000 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
