import { expect, it } from 'vitest';
import { expectCaught } from '../src/index.ts';

it('runs a property anew until it fails', () => {
  let runs = 0;
  expectCaught(() => {
    runs += 1;
    if (runs === 7) throw new Error('violated');
  });
  expect(runs).toBe(7);
});

it('says so when a property never fails', () => {
  expect(() => expectCaught(() => undefined, 3)).toThrow('held in 3 runs for what is known to be wrong');
});
