import { describe, expect, it } from 'vitest';
import { ByteBudget } from '../../src/index.ts';

describe('ByteBudget', () => {
  it('takes all of what is asked for, or nothing', () => {
    const budget = new ByteBudget(10);
    expect([budget.take(6), budget.take(5), budget.take(4), budget.take(1), budget.take(0)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    budget.give(6);
    expect(budget.free).toBe(6);
  });
});
