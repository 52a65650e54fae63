// Hot path: next() runs per request.
import { carryOwed, nearestTurn, owedAt, owedById } from './owed-turns.ts';
import { isEqualWeighted, lowerBound, type Pool } from './policy.ts';
import type { Place, Rotation } from './rotation.ts';

/**
 * A table of turns and a cursor that wraps at its end. Where turns simply go round, the cursor means "this entry is
 * next" and is carried to another pool by that entry's id: a free-running `counter % n` would jump whenever n
 * changes, and repeat or pass over entries that stay. A weighted table is entered where it owes most nearly what
 * the one before owed.
 */
export class RingRotation implements Rotation {
  readonly #pool: Pool;
  readonly #table: Uint32Array;
  readonly #startedAt: Place;
  /** What entries are owed apart from the table. */
  readonly #rest: Float64Array;
  #cursor: number;
  #moved = false;

  constructor(pool: Pool, table: Uint32Array, place: Place) {
    this.#pool = pool;
    this.#table = table;
    this.#startedAt = place;
    const start = locate(pool, table, place);
    this.#cursor = start.cursor;
    this.#rest = start.rest;
  }

  next(): number {
    const cursor = this.#cursor;
    this.#cursor = cursor + 1 === this.#table.length ? 0 : cursor + 1;
    this.#moved = true;
    return this.#table[cursor] ?? 0;
  }

  nextExcept(excluded: ReadonlySet<string>): number {
    const turns = this.#table.length;
    let cursor = this.#cursor;
    for (let step = 0; step < turns; step++) {
      const index = this.#table[cursor] ?? 0;
      cursor = cursor + 1 === turns ? 0 : cursor + 1;
      const entry = this.#pool.entries[index];
      if (entry === undefined || excluded.has(entry.id)) continue;
      this.#cursor = cursor;
      this.#moved = true;
      return index;
    }
    return -1;
  }

  place(): Place {
    // Without a turn in between, an entry that left and came back still finds its turn waiting.
    if (!this.#moved) return this.#startedAt;
    const cursor = this.#cursor;
    const owed = owedAt(this.#pool, this.#table, cursor).map((value, i) => value + (this.#rest[i] ?? 0));
    return {
      kind: 'turn',
      nextId: this.#pool.entries[this.#table[cursor] ?? 0]?.id,
      owed: owedById(this.#pool, owed),
    };
  }
}

function locate(pool: Pool, table: Uint32Array, place: Place): { cursor: number; rest: Float64Array } {
  const rest = new Float64Array(pool.entries.length);
  if (table.length === 0) return { cursor: 0, rest };
  if (place.kind === 'start') return { cursor: place.offset % table.length, rest };
  if (isEqualWeighted(pool) && place.nextId !== undefined) {
    return { cursor: lowerBound(pool.entries, place.nextId) % table.length, rest };
  }
  return nearestTurn(pool, table, carryOwed(pool, place.owed));
}
