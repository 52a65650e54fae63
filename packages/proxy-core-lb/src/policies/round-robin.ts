// Hot path: pick() runs per request.
import { createRotation, turnTable } from './create-rotation.ts';
import { EMPTY_POOL, type Policy, type Pool } from './policy.ts';
import type { Rotation } from './rotation.ts';

/**
 * Each entry in turn, as often as its weight says. Retries turn a rotation of their own: the sequence of first picks
 * is the same with and without failures, and no neighbour of a failing entry gets its share on top.
 */
export class RoundRobin implements Policy {
  #first: Rotation;
  #retry: Rotation;

  constructor(startOffset: number) {
    const table = new Uint32Array(0);
    this.#first = createRotation(EMPTY_POOL, table, { kind: 'start', offset: startOffset });
    this.#retry = createRotation(EMPTY_POOL, table, { kind: 'start', offset: startOffset });
  }

  rebuild(pool: Pool): void {
    const table = turnTable(pool);
    this.#first = createRotation(pool, table, this.#first.place());
    this.#retry = createRotation(pool, table, this.#retry.place());
  }

  pick(excluded: ReadonlySet<string> | undefined): number {
    return excluded === undefined ? this.#first.next() : this.#retry.nextExcept(excluded);
  }
}
