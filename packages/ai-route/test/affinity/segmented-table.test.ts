import { ManualClock } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { SegmentedTable } from '../../src/affinity/segmented-table.ts';
import type { Binding } from '../../src/affinity/table-affinity.ts';

type Table = SegmentedTable<Binding>;

function table(capacity: number, ttlMs = 1000) {
  const clock = new ManualClock();
  return { clock, bindings: new SegmentedTable<Binding>({ clock, capacity, ttlMs }) };
}

const bind = (bindings: Table, key: string, confirmed = true, stableId = 'x') =>
  bindings.put(key, { stableId, original: undefined, before: undefined, confirmed });

const kept = (bindings: Table, keys: string): string =>
  [...keys].filter((key) => bindings.peek(key) !== undefined).join('');

/** How often each method of any Map is called meanwhile. Linked lists take a step per call, iterators any number. */
function countMapCalls(work: () => void): Record<string, number> {
  const counts: Record<string, number> = {};
  const names = ['get', 'set', 'has', 'delete', 'keys', 'values', 'entries', 'forEach'] as const;
  const spies = names.map((name) => vi.spyOn(Map.prototype, name));
  try {
    work();
    for (const [i, spy] of spies.entries()) {
      const calls = spy.mock.calls.length;
      if (calls > 0) counts[names[i] ?? ''] = calls;
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return counts;
}

describe('the segmented table', () => {
  it('P-F9: an entry lives as long as it is used, by the monotonic clock', () => {
    const { clock, bindings } = table(10);
    bind(bindings, 'k');
    for (let i = 0; i < 5; i++) {
      clock.advance(999);
      expect(bindings.use('k')?.stableId).toBe('x');
    }
    clock.setWallClock(0);
    clock.advance(999);
    expect(bindings.peek('k')?.stableId).toBe('x');
    clock.advance(1);
    expect(bindings.peek('k')).toBeUndefined();
    expect(bindings.use('k')).toBeUndefined();
    expect(bindings.size).toBe(0);
  });

  it('P-F6: full, it forgets what never proved right before what did, and the longest unused first', () => {
    const { bindings } = table(10);
    for (const key of 'abc') bind(bindings, key);
    for (const key of 'defghij') bind(bindings, key, false);
    bindings.use('d');
    for (const key of 'klmn') bind(bindings, key, false);
    expect(kept(bindings, 'abcdefghijklmn')).toBe('abcdijklmn');
  });

  it('P-F6: entries that were used since go after those that were confirmed once', () => {
    const { bindings } = table(10);
    for (const key of 'abcdefgh') bind(bindings, key);
    for (const key of 'ab') bindings.use(key);
    for (const key of 'klmnopqrst') bind(bindings, key);
    expect(kept(bindings, 'abcdefgh')).toBe('ab');
    expect(bindings.size).toBe(9);
  });

  it.each([
    ['that never succeed', false],
    ['that succeed once', true],
  ])(
    'P-F6: a flood of 1,000,000 new sessions %s leaves those in use alone, and stays bounded',
    (_how, confirmed) => {
      const { bindings } = table(10_000);
      for (let live = 0; live < 100; live++) {
        bind(bindings, `live-${live}`, true, `provider-${live}`);
        bindings.use(`live-${live}`);
      }
      // Nobody uses them meanwhile: what protects them is that they were in use before.
      for (let i = 0; i < 1_000_000; i++) bind(bindings, `flood-${i}`, confirmed);
      expect(bindings.size).toBeLessThanOrEqual(10_000);
      for (let live = 0; live < 100; live++)
        expect(bindings.peek(`live-${live}`)?.stableId).toBe(`provider-${live}`);
    },
  );

  it('is shown to forget them by a list in order of use alone', () => {
    const order = new Map([['live', 1]]);
    for (let i = 0; i < 100; i++) {
      order.set(`flood-${i}`, 1);
      if (order.size > 10) order.delete(order.keys().next().value ?? '');
    }
    expect(order.has('live')).toBe(false);
  });

  it('leaves room for new ones, however many are in use', () => {
    const { bindings } = table(10);
    for (const key of 'abcdefghij') {
      bind(bindings, key);
      bindings.use(key);
    }
    bind(bindings, 'n', false);
    expect(bindings.peek('n')).toBeDefined();
    bind(bindings, 'n', true);
    bindings.use('n');
    expect(bindings.peek('n')).toBeDefined();
  });

  it('a session in use that is bound anew stays in use', () => {
    const { bindings } = table(10);
    bind(bindings, 'a');
    bindings.use('a');
    bind(bindings, 'a', false, 'y');
    for (let i = 0; i < 100; i++) bind(bindings, `flood-${i}`, false);
    expect(bindings.peek('a')).toMatchObject({ stableId: 'y', confirmed: false });
  });

  it('takes the same few steps per new key however full it is', () => {
    const stepsPerKey = (capacity: number): Record<string, number> => {
      const { bindings } = table(capacity);
      for (let i = 0; i < capacity; i++) bind(bindings, `fill-${i}`, false);
      return countMapCalls(() => {
        for (let i = 0; i < 500; i++) bind(bindings, `more-${i}`, false);
      });
    };
    const few = stepsPerKey(10);
    expect(few).toEqual({ get: 500, set: 500, delete: 500 });
    expect(stepsPerKey(10_000)).toEqual(few);
  });

  it('is shown to take many by one that asks a Map for its first key', () => {
    const map = new Map<string, number>([['a', 1]]);
    const calls = countMapCalls(() => void map.delete(map.keys().next().value ?? ''));
    // Each such iterator walks over everything deleted before the key it finds.
    expect(calls).toEqual({ keys: 1, delete: 1 });
  });
});

describe('the segmented table, whatever is done to it', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const step = fc.tuple(fc.constantFrom('try', 'put', 'use', 'peek', 'delete', 'wait'), key);

  it.each([1, 2, 3, 5])('of %d behaves like three lists ordered by use', (capacity) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const { clock, bindings } = table(capacity, 10);
        const lists = new ThreeLists(capacity);
        for (const [action, name] of steps) {
          const now = clock.monotonicMs();
          if (action === 'wait') clock.advance(3);
          if (action === 'peek') expect(bindings.peek(name) !== undefined).toBe(lists.live(name, now));
          if (action === 'use') expect(bindings.use(name) !== undefined).toBe(lists.use(name, now));
          if (action === 'delete') {
            bindings.delete(name);
            lists.drop(name);
          }
          if (action === 'put' || action === 'try') {
            bind(bindings, name, action === 'put');
            lists.put(name, action === 'put', now);
          }
          expect(bindings.size).toBe(lists.rows.length);
        }
        for (const { name } of lists.rows)
          expect(bindings.peek(name) !== undefined).toBe(lists.live(name, clock.monotonicMs()));
      }),
    );
  });
});

/** The same, slow and obvious: rows in order of use, the oldest first. */
class ThreeLists {
  rows: { name: string; level: number; until: number }[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  live(name: string, now: number): boolean {
    return this.rows.some((row) => row.name === name && now < row.until);
  }

  drop(name: string): void {
    this.rows = this.rows.filter((row) => row.name !== name);
  }

  use(name: string, now: number): boolean {
    const row = this.rows.find((one) => one.name === name);
    const live = this.live(name, now);
    this.drop(name);
    if (row !== undefined && live) this.#add({ name, level: row.level === 0 ? 0 : 2, until: now + 10 });
    return live;
  }

  put(name: string, confirmed: boolean, now: number): void {
    const row = this.rows.find((one) => one.name === name);
    this.drop(name);
    if (row === undefined && this.rows.length >= this.#capacity) this.#forget([0, 1, 2]);
    const level = row === undefined || row.level === 0 ? Number(confirmed) : row.level;
    this.#add({ name, level, until: now + 10 });
  }

  #add(row: { name: string; level: number; until: number }): void {
    this.rows.push(row);
    const confirmedMax = Math.max(1, Math.floor(this.#capacity * 0.9));
    const used = this.rows.filter(({ level }) => level === 2);
    const [oldest] = used;
    if (oldest !== undefined && used.length > Math.max(1, Math.floor(confirmedMax * 0.8))) {
      this.drop(oldest.name);
      this.rows.push({ ...oldest, level: 1 });
    }
    if (this.rows.filter(({ level }) => level > 0).length > confirmedMax) this.#forget([1, 2]);
  }

  /** The oldest of the first of these levels that has any. */
  #forget(levels: readonly number[]): void {
    for (const level of levels) {
      const oldest = this.rows.find((row) => row.level === level);
      if (oldest === undefined) continue;
      this.drop(oldest.name);
      return;
    }
  }
}
