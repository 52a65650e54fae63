import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DeadlineRoundRobinPicker } from '../../src/pickers/deadline-round-robin.ts';
import { DeterministicPicker } from '../../src/pickers/deterministic.ts';
import { RandomPicker } from '../../src/pickers/random.ts';
import { RoundRobinPicker } from '../../src/pickers/round-robin.ts';
import { WeightedRandomPicker } from '../../src/pickers/weighted-random.ts';
import { WeightedRoundRobinPicker } from '../../src/pickers/weighted-round-robin.ts';
import { createDraw, sfc32 } from '../../src/random.ts';
import { MemberSet } from '../../src/snapshot/member-set.ts';
import { LazyPicker } from '../../src/turns/lazy-picker.ts';
import { candidate } from '../support/rotation.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Few enough for an allocating picker not to fill the young generation, which would set off a collection. */
const PICKS = 10_000;

/**
 * How much the heap grows per pick, in bytes: the lower quartile of windows, as some also see code being compiled, and
 * on a busy machine that may be most of them. A picker that allocates does so in all of them.
 */
function bytesPerPick(pick: () => unknown): number {
  let bytes = Number.NaN;
  // On a busy machine the optimising compiler, which has a thread of its own, may come late: numbers are boxed until then.
  for (let attempt = 0; attempt < 10 && !(bytes < 1); attempt++) bytes = lowerQuartile(pick);
  return bytes;
}

function lowerQuartile(pick: () => unknown): number {
  for (let i = 0; i < 20 * PICKS; i++) pick();
  const windows = Array.from({ length: 21 }, () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < PICKS; i++) pick();
    return (process.memoryUsage().heapUsed - before) / PICKS;
  });
  return windows.toSorted((a, b) => a - b)[5] ?? Number.NaN;
}

describe('P-I1: a pick allocates nothing', () => {
  const members = Array.from({ length: 16 }, (_, i) => candidate(String(i + 10)));
  const weights = members.map((_, i) => (i % 3) + 1);
  const draw = createDraw(sfc32([1, 2, 3, 4]));
  const pickers = {
    deterministic: new DeterministicPicker(),
    'round robin': new RoundRobinPicker(members, 0),
    'weighted round robin by schedule': new WeightedRoundRobinPicker(members, weights, 0),
    'weighted round robin by deadlines': new DeadlineRoundRobinPicker(members, weights, 0),
    random: new RandomPicker(draw),
    'weighted random': new WeightedRandomPicker(weights, draw),
    'round robin that came into being with its first pick': new LazyPicker({
      create: (start) => new RoundRobinPicker(members, start),
      offset: () => 0,
      hasTurns: true,
      from: undefined,
    }),
  };
  const open = new MemberSet(16, (i) => i !== 5);

  it.each(Object.entries(pickers))('%s', (_name, picker) => {
    expect(bytesPerPick(() => picker.pick(open))).toBeLessThan(1);
  });

  it('is violated by a picker that answers with an object', () => {
    const kept: unknown[] = [undefined];
    const picker = { pick: (): unknown => (kept[0] = { index: pickers['round robin'].pick(open) }) };
    expect(bytesPerPick(() => picker.pick())).toBeGreaterThan(8);
  });
});
