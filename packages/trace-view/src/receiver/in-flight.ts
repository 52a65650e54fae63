/** Counts the bytes that are in memory and not stored yet. */
export class InFlight {
  readonly #max: number;
  #bytes = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts `bytes` in; false, and nothing counted, when that would be too many. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#max) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts `bytes` out. */
  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
