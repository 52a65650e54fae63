import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BackOff } from '../../src/time/back-off.ts';

const waits = (backOff: BackOff, count: number): number[] =>
  Array.from({ length: count }, () => backOff.next());

describe('BackOff', () => {
  it('doubles from the first wait to the longest, and begins anew after a reset', () => {
    const backOff = new BackOff({ initialMs: 1000, maxMs: 30_000 }, () => 0);
    expect(waits(backOff, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    backOff.reset();
    expect(waits(backOff, 2)).toEqual([1000, 2000]);
  });

  it('jitter takes away up to a quarter and never adds', () => {
    const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 2000 }), (draws) => {
        let drawn = 0;
        const backOff = new BackOff({ initialMs: 1000, maxMs: 30_000 }, () => draws[drawn++] ?? 0);
        waits(backOff, draws.length).forEach((wait, index) => {
          const full = Math.min(30_000, 1000 * 2 ** index);
          expect(wait).toBeLessThanOrEqual(full);
          expect(wait).toBeGreaterThan(full * 0.75 - 1e-6);
        });
      }),
    );
  });
});
