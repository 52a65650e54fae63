import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RowWindow, rowWindow } from '../../page/model/window.ts';

const view = fc.record({
  scrollTop: fc.integer({ min: 0, max: 400_000 }),
  height: fc.integer({ min: 0, max: 2_000 }),
  rowHeight: fc.integer({ min: 1, max: 60 }),
});

/** Every row in sight exists, few others do, and the spacers stand for exactly the rest. */
function holds(windowOf: typeof rowWindow): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12_000 }), view, (rows, given) => {
      const { first, end, before, after }: RowWindow = windowOf(rows, given);
      const { scrollTop, height, rowHeight } = given;
      expect(before).toBe(first * rowHeight);
      expect(after).toBe((rows - end) * rowHeight);
      expect(first).toBeLessThanOrEqual(end);
      expect(end - first).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 17);
      const inSight = Array.from({ length: rows }, (_, row) => row).filter(
        (row) => (row + 1) * rowHeight > scrollTop && row * rowHeight < scrollTop + height,
      );
      expect(inSight.every((row) => row >= first && row < end)).toBe(true);
    }),
    { numRuns: 60 },
  );
}

describe('the rows of a long table', () => {
  it('are there where one looks, and nowhere else', () => holds(rowWindow));

  it('a window that forgets the last row in sight is caught', () => {
    expectCaught(() =>
      holds((rows, given) => {
        const end = Math.min(rows, Math.floor((given.scrollTop + given.height) / given.rowHeight));
        const first = Math.min(end, Math.floor(given.scrollTop / given.rowHeight));
        return { first, end, before: first * given.rowHeight, after: (rows - end) * given.rowHeight };
      }),
    );
  });
});
