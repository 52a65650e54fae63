// Hot path: pick() runs per request.
import { boundedDraw, type Random } from '../random.ts';
import { EMPTY_POOL, isEqualWeighted, type Policy, type Pool } from './policy.ts';

/**
 * A fair draw, each entry in proportion to its weight. Only entries that may be picked take part in the draw:
 * drawing from all and going on to the next one would double the share of an excluded entry's neighbour.
 */
export class RandomPolicy implements Policy {
  readonly #random: Random;
  #pool: Pool = EMPTY_POOL;
  /** Sums of weights up to and including each entry; empty when all are equal. */
  #sums: Float64Array = new Float64Array(0);
  /** The same over the entries that are not excluded, and their indices; used by retries. */
  #viableSums: Float64Array = new Float64Array(0);
  #viable: Uint32Array = new Uint32Array(0);

  constructor(random: Random) {
    this.#random = random;
  }

  rebuild(pool: Pool): void {
    const n = pool.entries.length;
    this.#pool = pool;
    this.#viable = new Uint32Array(n);
    this.#viableSums = new Float64Array(n);
    this.#sums = new Float64Array(isEqualWeighted(pool) ? 0 : n);
    let sum = 0;
    for (let i = 0; i < this.#sums.length; i++) {
      sum += pool.weights[i] ?? 0;
      this.#sums[i] = sum;
    }
  }

  pick(excluded: ReadonlySet<string> | undefined): number {
    if (excluded !== undefined) return this.#pickExcept(excluded);
    const ticket = boundedDraw(this.#random, this.#pool.total);
    return this.#sums.length === 0 ? ticket : firstAbove(this.#sums, this.#sums.length, ticket);
  }

  #pickExcept(excluded: ReadonlySet<string>): number {
    const { entries, weights } = this.#pool;
    let count = 0;
    let sum = 0;
    for (let i = 0; i < entries.length; i++) {
      if (excluded.has(entries[i]?.id ?? '')) continue;
      sum += weights[i] ?? 0;
      this.#viable[count] = i;
      this.#viableSums[count] = sum;
      count++;
    }
    if (count === 0) return -1;
    return this.#viable[firstAbove(this.#viableSums, count, boundedDraw(this.#random, sum))] ?? -1;
  }
}

/** Index of the first of `count` rising sums that is above `ticket`. */
function firstAbove(sums: Float64Array, count: number, ticket: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sums[middle] ?? 0) > ticket) high = middle;
    else low = middle + 1;
  }
  return low;
}
