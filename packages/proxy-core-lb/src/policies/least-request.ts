// Hot path: pick() runs per request.
import { boundedDraw, type Random } from '../random.ts';
import { EMPTY_POOL, lowerBound, type Policy, type Pool } from './policy.ts';

/** Up to this many entries all are compared; above it two are drawn. */
const SCAN_MAX = 32;

/**
 * The entry with the fewest requests in flight for its weight. Ties go round: "first in the list wins" would send a
 * fleet of idle gateways to one endpoint. Above {@link SCAN_MAX} entries, the lighter of two distinct random ones.
 */
export class LeastRequest implements Policy {
  readonly #random: Random;
  #pool: Pool = EMPTY_POOL;
  #first: ScanStart;
  #retry: ScanStart;
  /** Indices of entries that are not excluded; used by retries among many. */
  #viable: Uint32Array = new Uint32Array(0);

  constructor(startOffset: number, random: Random) {
    this.#random = random;
    this.#first = new ScanStart(startOffset);
    this.#retry = new ScanStart(startOffset);
  }

  rebuild(pool: Pool): void {
    this.#first.carry(this.#pool, pool);
    this.#retry.carry(this.#pool, pool);
    this.#pool = pool;
    this.#viable = new Uint32Array(pool.entries.length > SCAN_MAX ? pool.entries.length : 0);
  }

  pick(excluded: ReadonlySet<string> | undefined): number {
    if (this.#pool.entries.length > SCAN_MAX) return this.#lighterOfTwo(excluded);
    return this.#scan(excluded, excluded === undefined ? this.#first : this.#retry);
  }

  #scan(excluded: ReadonlySet<string> | undefined, start: ScanStart): number {
    const { entries } = this.#pool;
    const n = entries.length;
    let best = -1;
    let index = start.index;
    for (let step = 0; step < n; step++) {
      if (excluded === undefined || !excluded.has(entries[index]?.id ?? '')) {
        if (best === -1 || this.#isLighter(index, best)) best = index;
      }
      index = index + 1 === n ? 0 : index + 1;
    }
    if (best !== -1) start.moveTo(best + 1 === n ? 0 : best + 1);
    return best;
  }

  #lighterOfTwo(excluded: ReadonlySet<string> | undefined): number {
    const many = excluded === undefined ? this.#pool.entries.length : this.#collectViable(excluded);
    if (many === 0) return -1;
    const one = boundedDraw(this.#random, many);
    let other = one;
    if (many > 1) {
      // Draw from the others and step over the first: distinct, and every pair equally likely.
      other = boundedDraw(this.#random, many - 1);
      if (other >= one) other++;
    }
    const a = excluded === undefined ? one : (this.#viable[one] ?? 0);
    const b = excluded === undefined ? other : (this.#viable[other] ?? 0);
    return this.#isLighter(b, a) ? b : a;
  }

  #collectViable(excluded: ReadonlySet<string>): number {
    const { entries } = this.#pool;
    let count = 0;
    for (let i = 0; i < entries.length; i++) {
      if (!excluded.has(entries[i]?.id ?? '')) this.#viable[count++] = i;
    }
    return count;
  }

  /** (a + 1) / weight compared without division, so that equal loads are exactly equal. */
  #isLighter(index: number, than: number): boolean {
    const { entries, weights } = this.#pool;
    const load = (entries[index]?.active ?? 0) + 1;
    const otherLoad = (entries[than]?.active ?? 0) + 1;
    return load * (weights[than] ?? 0) < otherLoad * (weights[index] ?? 0);
  }
}

/** Where a scan starts: after the entry picked last. Carried to another pool by id. */
class ScanStart {
  index = 0;
  readonly #offset: number;
  #nextId: string | undefined;
  #moved = false;

  constructor(offset: number) {
    this.#offset = offset;
  }

  moveTo(index: number): void {
    this.index = index;
    this.#moved = true;
  }

  carry(from: Pool, to: Pool): void {
    if (this.#moved) this.#nextId = from.entries[this.index]?.id;
    this.#moved = false;
    const n = Math.max(1, to.entries.length);
    this.index = (this.#nextId === undefined ? this.#offset : lowerBound(to.entries, this.#nextId)) % n;
  }
}
