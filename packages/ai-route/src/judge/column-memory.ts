/** As much may wait for a collection: some dozens of overlays of 10,000 candidates. */
const SHARED_BYTES_MAX = 32 * 2 ** 20;

/**
 * Memory for the columns of overlays. V8 counts ordinary buffers as pressure on its heap, so that an overlay every few
 * seconds has it go over the whole heap again and again, which holds up requests for tens of milliseconds. It doesn't
 * count shared memory, which is free again when some collection comes by anyway. When none does and too much is waiting,
 * ordinary buffers see to it.
 */
export class ColumnMemory {
  readonly #collected = new FinalizationRegistry<number>((bytes) => {
    this.#shared -= bytes;
  });
  #shared = 0;

  allocate(bytes: number): Uint8Array {
    if (this.#shared + bytes > SHARED_BYTES_MAX) return new Uint8Array(bytes);
    const memory = new SharedArrayBuffer(bytes);
    this.#shared += bytes;
    this.#collected.register(memory, bytes);
    return new Uint8Array(memory);
  }
}
