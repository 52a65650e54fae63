import { runReadmeExample } from '@switchyard/test-kit';
import { expect, it } from 'vitest';

it('the example of the README runs and prints what it says', { timeout: 60_000 }, async () => {
  const lines = (await runReadmeExample(import.meta.url)).trim().split('\n');
  expect(lines).toEqual([
    "{ kind: 'string', value: 'm' }",
    "{ kind: 'completed', status: 200, responseBytes: 20 }",
    '200 hello from the model',
  ]);
});
