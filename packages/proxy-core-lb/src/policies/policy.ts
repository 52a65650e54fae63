/** What a policy may see of an endpoint. */
export interface PoolEntry {
  readonly id: string;
  /** Requests in flight. */
  readonly active: number;
}

/** The endpoints that may be picked: weight above zero, sorted by id. Replaced whole, never changed. */
export interface Pool {
  readonly entries: readonly PoolEntry[];
  /** Weights of `entries`, divided by their greatest common divisor. */
  readonly weights: readonly number[];
  /** Sum of `weights`: the length of one revolution in picks. */
  readonly total: number;
}

/** Chooses an entry of its pool. */
export interface Policy {
  /** Takes a new pool and carries the state over, by id. */
  rebuild(pool: Pool): void;
  /**
   * Index of the chosen entry; -1 when all are excluded, and then nothing has changed.
   *
   * @param excluded - ids already tried by this request; undefined for a first attempt. Never empty.
   */
  pick(excluded: ReadonlySet<string> | undefined): number;
}

/** The pool of no endpoints. */
export const EMPTY_POOL: Pool = Object.freeze({ entries: [], weights: [], total: 0 });

/** Makes a pool of endpoints that are sorted by id and have weights above zero. */
export function createPool(entries: readonly PoolEntry[], weights: readonly number[]): Pool {
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  const reduced = divisor > 1 ? weights.map((weight) => weight / divisor) : weights;
  return { entries, weights: reduced, total: reduced.reduce((sum, weight) => sum + weight, 0) };
}

/** All weights are the same. */
export function isEqualWeighted(pool: Pool): boolean {
  return pool.total === pool.entries.length;
}

/** Index of the first entry whose id is `id` or comes after it; the number of entries when there is none. */
export function lowerBound(entries: readonly PoolEntry[], id: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.id ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
