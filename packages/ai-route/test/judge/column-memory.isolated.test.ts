import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitUntil } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { ColumnMemory } from '../../src/judge/column-memory.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MIB = 2 ** 20;

it('what the collector does not count is bounded, and counts no more once it is collected', async () => {
  const memory = new ColumnMemory();
  const isShared = (piece: Uint8Array): boolean => piece.buffer instanceof SharedArrayBuffer;
  let held = Array.from({ length: 40 }, () => memory.allocate(MIB));
  expect(held.map(isShared)).toEqual(held.map((_, index) => index < 32));
  expect(isShared(memory.allocate(MIB))).toBe(false);
  held = [];
  await waitUntil(() => {
    collect();
    return isShared(memory.allocate(MIB));
  });
  expect(held).toEqual([]);
});
