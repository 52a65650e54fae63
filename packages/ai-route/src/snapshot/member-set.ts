// Hot path: asked at every pick. Built when something changes, never per pick.

/** A set of member positions, in ascending order. Constant-time membership and access; immutable. */
export class MemberSet {
  readonly size: number;
  readonly #contains: Uint8Array;
  readonly #positions: Uint32Array;

  /** The positions from 0 to `length - 1` for which `includes` holds. */
  constructor(length: number, includes: (position: number) => boolean) {
    this.#contains = new Uint8Array(length);
    this.#positions = new Uint32Array(length);
    let size = 0;
    for (let position = 0; position < length; position++) {
      if (!includes(position)) continue;
      this.#contains[position] = 1;
      this.#positions[size++] = position;
    }
    this.size = size;
  }

  has(position: number): boolean {
    return this.#contains[position] === 1;
  }

  /** The position at `index` in ascending order; -1 past the end. */
  at(index: number): number {
    return index < this.size ? (this.#positions[index] ?? -1) : -1;
  }
}
