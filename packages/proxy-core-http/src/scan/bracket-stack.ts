/**
 * Which kind of bracket is open at each level: one bit per level, grown by doubling.
 *
 * @internal
 */
export class BracketStack {
  depth = 0;
  #bits = new Uint32Array(4);

  push(isObject: boolean): void {
    const word = this.depth >>> 5;
    if (word === this.#bits.length) {
      const grown = new Uint32Array(word * 2);
      grown.set(this.#bits);
      this.#bits = grown;
    }
    const mask = 1 << (this.depth & 31);
    const bits = this.#bits[word] ?? 0;
    this.#bits[word] = isObject ? bits | mask : bits & ~mask;
    this.depth++;
  }

  pop(): boolean {
    this.depth--;
    return (((this.#bits[this.depth >>> 5] ?? 0) >>> (this.depth & 31)) & 1) === 1;
  }
}
