import { ManualClock } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BindingTable } from '../../src/affinity/binding-table.ts';

function table(capacity: number, ttlMs = 1000) {
  const clock = new ManualClock();
  return { clock, bindings: new BindingTable({ clock, capacity, ttlMs }) };
}

const bind = (bindings: BindingTable, key: string, stableId = 'x') =>
  bindings.put({ key, stableId, confirmed: true });

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

describe('the binding table', () => {
  it('P-F9: a binding lives as long as it is used, by the monotonic clock', () => {
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

  it('P-F6: full, it forgets the session unused for longest', () => {
    const { bindings } = table(3);
    for (const key of ['a', 'b', 'c']) bind(bindings, key);
    bindings.use('a');
    bindings.peek('b');
    bind(bindings, 'd');
    expect(['a', 'b', 'c', 'd'].map((key) => bindings.peek(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('P-F6: a flood of new sessions leaves those in use alone, and stays bounded', () => {
    const { bindings } = table(1000);
    for (let live = 0; live < 10; live++) bind(bindings, `live-${live}`, `provider-${live}`);
    for (let i = 0; i < 200_000; i++) {
      bind(bindings, `flood-${i}`);
      if (i % 500 === 0) for (let live = 0; live < 10; live++) bindings.use(`live-${live}`);
    }
    expect(bindings.size).toBe(1000);
    for (let live = 0; live < 10; live++)
      expect(bindings.peek(`live-${live}`)?.stableId).toBe(`provider-${live}`);
  });

  it('takes the same few steps per new key however full it is', () => {
    const stepsPerKey = (capacity: number): Record<string, number> => {
      const { bindings } = table(capacity);
      for (let i = 0; i < capacity; i++) bind(bindings, `fill-${i}`);
      return countMapCalls(() => {
        for (let i = 0; i < 500; i++) bind(bindings, `more-${i}`);
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

  it('behaves like a list ordered by use, whatever is done to it', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const step = fc.tuple(fc.constantFrom('put', 'use', 'peek', 'delete', 'wait'), key);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const { clock, bindings } = table(3, 10);
        let model: { key: string; until: number }[] = [];
        const live = (wanted: string) =>
          model.find((entry) => entry.key === wanted && clock.monotonicMs() < entry.until);
        for (const [action, name] of steps) {
          const others = model.filter((entry) => entry.key !== name);
          const renewed = [...others, { key: name, until: clock.monotonicMs() + 10 }];
          if (action === 'wait') clock.advance(3);
          if (action === 'peek') expect(bindings.peek(name) !== undefined).toBe(live(name) !== undefined);
          if (action === 'use') {
            const found = live(name) !== undefined;
            expect(bindings.use(name) !== undefined).toBe(found);
            model = found ? renewed : others;
          }
          if (action === 'delete') {
            bindings.delete(name);
            model = others;
          }
          if (action === 'put') {
            bind(bindings, name);
            model = renewed.slice(-3);
          }
          expect(bindings.size).toBe(model.length);
        }
      }),
    );
  });
});
