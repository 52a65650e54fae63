import { runReadmeExample } from '@switchyard/test-kit';
import { expect, it } from 'vitest';

it('the example of the README runs and prints what it says', async () => {
  expect(await runReadmeExample(import.meta.url)).toBe(
    [
      'http://10.0.0.1:8000',
      'http://10.0.0.2:8000',
      'http://10.0.0.1:8000',
      'retry http://10.0.0.2:8000',
    ].join('\n'),
  );
});
