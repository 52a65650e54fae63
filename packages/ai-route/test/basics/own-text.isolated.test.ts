import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ManualClock } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { SegmentedTable } from '../../src/affinity/segmented-table.ts';
import type { Binding } from '../../src/affinity/table-affinity.ts';
import { ownText } from '../../src/basics/own-text.ts';
import { packOverlay, unpackOverlay } from '../../src/judge/packed-overlay.ts';
import { candidate, overlayWith } from '../support/rotation.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const TIMES = 200;
const LONG = 50_000;

/** What is kept of each `make()`, in bytes. */
function keptOfEach(make: (i: number) => unknown): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: TIMES }, (_, i) => make(i));
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / TIMES;
  expect(kept).toHaveLength(TIMES);
  return bytes;
}

/** A text of `LONG` bytes with a part in it that is worth keeping. */
const header = (i: number): string =>
  `${Buffer.alloc(LONG, 'x').toString('latin1')}; session=number-${i}-of-many`;

it('a part of a text is kept without the rest', () => {
  const part = (i: number): string => header(i).slice(LONG + 2);
  expect(ownText(part(7))).toBe('session=number-7-of-many');
  expect(keptOfEach((i) => ownText(part(i)))).toBeLessThan(LONG / 10);
  // Without that it isn't, or there would be nothing to take care of.
  expect(keptOfEach(part)).toBeGreaterThan(LONG / 2);
});

it('a session binding is kept without the header that its key was cut out of', () => {
  const table = new SegmentedTable<Binding>({ clock: new ManualClock(), capacity: 1000, ttlMs: 1000 });
  const bind = (i: number): unknown =>
    table.put(`model ${header(i).slice(LONG + 2)}`, {
      original: undefined,
      before: undefined,
      stableId: 'a',
      confirmed: true,
    });
  expect(keptOfEach(bind)).toBeLessThan(LONG / 10);
});

it('a candidate is kept without the overlay that the worker handed over', () => {
  const fillers = Array.from({ length: 200 }, (_, i) =>
    candidate(`site-${i}`, { selectionTier: `${i}`.repeat(100) }),
  );
  const rows = (i: number) =>
    unpackOverlay(structuredClone(packOverlay(overlayWith([candidate(`a-long-site-name-${i}`), ...fillers]))))
      .candidates;
  expect(keptOfEach((i) => ({ ...rows(i).at(0) }))).toBeLessThan(LONG / 10);
});
