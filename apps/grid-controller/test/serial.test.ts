import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serial } from '../src/reconcile/serial.ts';

describe('serial', () => {
  it('passes never overlap, and every trigger is followed by a whole pass', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }), async (pauses) => {
        let running = 0;
        let seen = 0;
        let wanted = 0;
        const passes = serial(async () => {
          expect(++running).toBe(1);
          const now = wanted;
          await turn();
          seen = now;
          running--;
        });
        for (const pause of pauses) {
          wanted++;
          passes.trigger();
          for (let i = 0; i < pause; i++) await turn();
        }
        await passes.idle();
        expect(seen).toBe(wanted);
      }),
    );
  });
});
