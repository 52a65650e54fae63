/** So many pieces are kept as they came, whatever their size: an ordinary body has no more. */
const KEPT_PIECES = 8;
/** Shorter pieces are copied together. */
const SMALL_BYTES = 4096;
/** What they are copied into: at most three times the bytes of a body, however it is cut. */
const BLOCK_BYTES = 8192;

/**
 * Puts the pieces of a body one behind the other. Each piece costs a Buffer, and keeps alive the 64 KiB of the read that
 * it came with: a body sent in chunks of one byte would hold hundreds of times its size. So small pieces are copied
 * together once there are more than a few.
 *
 * @internal
 */
export class SmallPieces {
  #block: Buffer | null = null;
  #used = 0;

  /** Appends a piece to the end of `pieces`, always the same list. */
  append(pieces: Buffer[], piece: Buffer): void {
    if (piece.length >= SMALL_BYTES || pieces.length < KEPT_PIECES) {
      pieces.push(piece);
      this.#block = null;
      return;
    }
    if (this.#block === null || this.#used + piece.length > BLOCK_BYTES) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#used = 0;
      pieces.push(this.#block);
    }
    this.#block.set(piece, this.#used);
    this.#used += piece.length;
    pieces[pieces.length - 1] = this.#block.subarray(0, this.#used);
  }
}
