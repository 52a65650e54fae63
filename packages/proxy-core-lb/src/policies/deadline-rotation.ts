import { carryOwed, owedById } from './owed-turns.ts';
import type { Pool } from './policy.ts';
import type { Place, Rotation } from './rotation.ts';

/** Most entries looked at to reach a start offset: some milliseconds. */
const START_STEPS_MAX = 2 ** 20;

/**
 * Turns for a revolution too long to tabulate. Turn j of an entry with weight w may come from time
 * floor(j x total / w) and is due by ceil((j + 1) x total / w); of the turns that may come, the one due first
 * is taken. Every turn then falls into its window, so counts stay within one of the exact share, and each entry gets
 * exactly its weight per revolution. All integers: products stay below 2^52, and quotients of that size with
 * divisors up to 10^6 cannot be rounded onto a whole number they have not reached.
 *
 * Cost is one pass over the entries per turn.
 */
export class DeadlineRotation implements Rotation {
  readonly #pool: Pool;
  readonly #startedAt: Place;
  /** Turns got in this revolution; below zero when owed turns of the one before. */
  readonly #served: Float64Array;
  readonly #release: Float64Array;
  readonly #due: Float64Array;
  /** What entries are owed apart from that: parts of a turn. Decides between turns due at the same time. */
  readonly #rest: Float64Array;
  /** Turns since the revolution began. */
  #time = 0;
  #moved = false;
  /** The earliest release of a turn that may not come yet; set by each search. */
  #nextRelease = Number.POSITIVE_INFINITY;

  constructor(pool: Pool, place: Place) {
    const n = pool.entries.length;
    this.#pool = pool;
    this.#startedAt = place;
    this.#served = new Float64Array(n);
    this.#release = new Float64Array(n);
    this.#due = new Float64Array(n);
    this.#rest = new Float64Array(n);
    for (let i = 0; i < n; i++) this.#serve(i, 0);
    if (place.kind === 'start') this.#startAt(place.offset);
    else this.#takeOver(carryOwed(pool, place.owed));
  }

  next(): number {
    return this.#take(undefined);
  }

  nextExcept(excluded: ReadonlySet<string>): number {
    return this.#pool.entries.every((entry) => excluded.has(entry.id)) ? -1 : this.#take(excluded);
  }

  place(): Place {
    if (!this.#moved) return this.#startedAt;
    const owed = this.#served.map((served, i) => this.#deserved(i) - served + (this.#rest[i] ?? 0));
    return { kind: 'turn', nextId: undefined, owed: owedById(this.#pool, owed) };
  }

  #take(excluded: ReadonlySet<string> | undefined): number {
    this.#moved = true;
    for (;;) {
      if (excluded !== undefined) this.#chargeExcluded(excluded);
      const index = this.#dueFirst(excluded);
      if (index !== -1) {
        this.#serve(index, (this.#served[index] ?? 0) + 1);
        this.#moveTo(this.#time + 1);
        return index;
      }
      // Nobody's turn may come yet, or only that of excluded entries: go to the time when another's may.
      this.#moveTo(this.#nextRelease);
    }
  }

  #dueFirst(excluded: ReadonlySet<string> | undefined): number {
    const { entries } = this.#pool;
    this.#nextRelease = Number.POSITIVE_INFINITY;
    let best = -1;
    let bestDue = Number.POSITIVE_INFINITY;
    let bestRest = 0;
    for (let i = 0; i < entries.length; i++) {
      if (excluded?.has(entries[i]?.id ?? '')) continue;
      const release = this.#release[i] ?? 0;
      const due = this.#due[i] ?? 0;
      if (release > this.#time) {
        if (release < this.#nextRelease) this.#nextRelease = release;
      } else if (due < bestDue || (due === bestDue && (this.#rest[i] ?? 0) > bestRest)) {
        best = i;
        bestDue = due;
        bestRest = this.#rest[i] ?? 0;
      }
    }
    return best;
  }

  /** Gives the turns before the start, since there is no shortcut to the state after them; bounded, so that it stays quick. */
  #startAt(offset: number): void {
    const most = Math.max(1, Math.floor(START_STEPS_MAX / this.#served.length));
    const turns = offset % Math.min(this.#pool.total, most);
    for (let turn = 0; turn < turns; turn++) this.#take(undefined);
    this.#moved = false;
  }

  #takeOver(owed: Float64Array): void {
    for (let i = 0; i < owed.length; i++) {
      const served = -(owed[i] ?? 0);
      this.#serve(i, Math.round(served));
      this.#rest[i] = (this.#served[i] ?? 0) - served;
    }
  }

  /** Exact share of the turns since the revolution began. */
  #deserved(index: number): number {
    return (this.#time * (this.#pool.weights[index] ?? 0)) / this.#pool.total;
  }

  #serve(index: number, served: number): void {
    const weight = this.#pool.weights[index] ?? 1;
    this.#served[index] = served;
    this.#release[index] = Math.floor((served * this.#pool.total) / weight);
    this.#due[index] = Math.ceil(((served + 1) * this.#pool.total) / weight);
  }

  /** Turns that passed count as taken: an entry that could not take them does not catch up in a burst. */
  #chargeExcluded(excluded: ReadonlySet<string>): void {
    const { entries } = this.#pool;
    for (let i = 0; i < entries.length; i++) {
      if (!excluded.has(entries[i]?.id ?? '')) continue;
      const passed = Math.floor(this.#deserved(i));
      if (passed > (this.#served[i] ?? 0)) this.#serve(i, passed);
    }
  }

  #moveTo(time: number): void {
    const { total, weights } = this.#pool;
    this.#time = time;
    if (time < total) return;
    this.#time = time - total;
    for (let i = 0; i < weights.length; i++) this.#serve(i, (this.#served[i] ?? 0) - (weights[i] ?? 0));
  }
}
