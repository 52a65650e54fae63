import type { Pool } from './policy.ts';

/**
 * What each entry of `pool` is owed when it takes over from a rotation that owed `before`. Entries that left take
 * their difference along, new ones bring none; the rest is shared out by weight, since the sum has to be zero.
 */
export function carryOwed(pool: Pool, before: ReadonlyMap<string, number>): Float64Array {
  const { entries, weights, total } = pool;
  const owed = new Float64Array(entries.length);
  let sum = 0;
  for (let i = 0; i < owed.length; i++) {
    const own = before.get(entries[i]?.id ?? '') ?? 0;
    owed[i] = own;
    sum += own;
  }
  for (let i = 0; i < owed.length; i++) owed[i] = (owed[i] ?? 0) - (sum * (weights[i] ?? 0)) / total;
  return owed;
}

/** `owed` by id. */
export function owedById(pool: Pool, owed: Float64Array): ReadonlyMap<string, number> {
  return new Map(pool.entries.map((entry, i) => [entry.id, owed[i] ?? 0]));
}

/** A turn of a table, and what the table at that turn leaves of the debts it should take over. */
export interface TableStart {
  readonly cursor: number;
  readonly rest: Float64Array;
}

/**
 * The turn of `table` at which the debts are nearest to `owed`, by least squares. The rest must not be forgotten:
 * with frequent updates the same rounding would favour the same entry each time.
 */
export function nearestTurn(pool: Pool, table: Uint32Array, owed: Float64Array): TableStart {
  const { weights, total } = pool;
  // Each step adds weight/total to every difference and takes 1 from the served one: the sum of squares follows
  // from its value before, without a pass over the entries.
  const difference = owed.map((value) => -value);
  let squares = sumOf(difference, (value) => value * value);
  let weighted = sumOf(difference, (value, i) => value * ((weights[i] ?? 0) / total));
  const stepSquares = sumOf(difference, (_, i) => ((weights[i] ?? 0) / total) ** 2);
  const got = new Float64Array(owed.length);
  let cursor = 0;
  let least = squares;
  for (let turn = 1; turn < table.length; turn++) {
    const served = table[turn - 1] ?? 0;
    const share = (weights[served] ?? 0) / total;
    got[served] = (got[served] ?? 0) + 1;
    const ahead = (difference[served] ?? 0) + (turn * share - (got[served] ?? 0) + 1);
    squares += 2 * weighted + stepSquares - 2 * ahead + 1;
    weighted += stepSquares - share;
    if (squares < least - 1e-9) {
      least = squares;
      cursor = turn;
    }
  }
  const owedThere = owedAt(pool, table, cursor);
  return { cursor, rest: owed.map((value, i) => value - (owedThere[i] ?? 0)) };
}

/** What `table` owes each entry before its turn number `cursor`. */
export function owedAt(pool: Pool, table: Uint32Array, cursor: number): Float64Array {
  const owed = Float64Array.from(pool.weights, (weight) => (cursor * weight) / pool.total);
  for (let turn = 0; turn < cursor; turn++) {
    const served = table[turn] ?? 0;
    owed[served] = (owed[served] ?? 0) - 1;
  }
  return owed;
}

function sumOf(values: Float64Array, term: (value: number, index: number) => number): number {
  return values.reduce((sum, value, i) => sum + term(value, i), 0);
}
