import { DeadlineRotation } from './deadline-rotation.ts';
import { isEqualWeighted, type Pool } from './policy.ts';
import { RingRotation } from './ring-rotation.ts';
import type { Place, Rotation } from './rotation.ts';
import { tijdemanSchedule } from './schedule.ts';

/** Longest schedule kept as a table; a longer revolution is computed turn by turn, never rounded. */
const TABLE_TURNS_MAX = 4096;

/** The turns of one revolution as a table, or undefined when it is too long for one. */
export function turnTable(pool: Pool): Uint32Array | undefined {
  if (isEqualWeighted(pool)) return Uint32Array.from(pool.entries.keys());
  return pool.total <= TABLE_TURNS_MAX ? tijdemanSchedule(pool.weights, pool.total) : undefined;
}

/** A rotation over `pool` that goes on where another one stood. */
export function createRotation(pool: Pool, table: Uint32Array | undefined, place: Place): Rotation {
  return table === undefined ? new DeadlineRotation(pool, place) : new RingRotation(pool, table, place);
}
