/** A refused answer is read to its end when that is near, so that its connection can be used again. */
const DISCARD_BYTES = 65_536;
const DISCARD_MS = 1000;

/**
 * Throws away the rest of a refused answer, up to 64 KiB and one second; then gives up its connection.
 *
 * @internal
 */
export class DiscardingExchange {
  readonly #abort: () => void;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor(abort: () => void) {
    this.#abort = abort;
    this.#timer = setTimeout(abort, DISCARD_MS);
    // A refused answer must not keep a process alive.
    this.#timer.unref();
  }

  onData(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= DISCARD_BYTES) return;
    this.stop();
    this.#abort();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
