/**
 * A number of bytes that may be held at once, shared by many. Whoever takes some gives as many back.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  #taken = 0;

  /** @param maxBytes most bytes that may be taken at once */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that may still be taken. */
  get free(): number {
    return this.#maxBytes - this.#taken;
  }

  /** Takes these bytes, or none of them when there are not enough. */
  take(bytes: number): boolean {
    if (bytes > this.free) return false;
    this.#taken += bytes;
    return true;
  }

  /** Gives back bytes that were taken. */
  give(bytes: number): void {
    this.#taken -= bytes;
  }
}
