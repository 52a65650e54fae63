import { randomInt } from 'node:crypto';
import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { script } from './commands.ts';
import { KNOWN_BAD } from './known-bad.ts';
import { playCommands } from './play.ts';

/** Another story every time; a failure names the seed, and `MODEL_SEED` plays it again. */
const seed = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));

describe('the decision core', () => {
  it(`does what a naive reading of the design says, whatever happens (seed ${seed})`, {
    timeout: 180_000,
  }, () => {
    fc.assert(
      fc.property(script, (story) => {
        expect(playCommands(story)).toBeUndefined();
      }),
      { numRuns: 3000, seed },
    );
  });

  it.each(Object.entries(KNOWN_BAD))('is seen to be wrong when %s', { timeout: 180_000 }, (_what, wrong) => {
    const holds = fc.property(script, (story) => playCommands(story, wrong) === undefined);
    expectCaught(() => {
      const found = fc.check(holds, { numRuns: 3000, endOnFailure: true });
      // By an answer that differs, not by breaking down.
      if (String(found.errorInstance).includes('returning false')) throw found.errorInstance;
    });
  });
});
