import { Readable } from 'node:stream';

/**
 * A view of a source stream that can be destroyed without destroying the source. undici destroys the body of a
 * request it gives up; for an incoming request that would take the client's connection, and the answer, with it.
 * The source is not touched before the first read, so a request that never got a connection can be sent again.
 *
 * @internal
 */
export class DetachableBody extends Readable {
  readonly #source: Readable;
  readonly #onProgress: () => void;
  #attached = false;

  constructor(source: Readable, onProgress: () => void) {
    super({ highWaterMark: source.readableHighWaterMark });
    this.#source = source;
    this.#onProgress = onProgress;
    // The reader stops listening when it is done; an error after that is nobody's.
    this.on('error', ignore);
  }

  /** Bytes may have been taken from the source: it cannot be sent a second time. */
  get touched(): boolean {
    return this.#attached;
  }

  override _read(): void {
    if (!this.#attached) this.#attach();
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.#attached) {
      this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
      // A stream that flows with nobody listening loses its data.
      this.#source.pause();
    }
    callback(error);
  }

  #attach(): void {
    this.#attached = true;
    const source = this.#source;
    if (source.readableEnded) {
      this.push(null);
      return;
    }
    if (source.destroyed) {
      this.#onClose();
      return;
    }
    // 'error' stays on after detaching: an unheard one would end the process. 'close' follows it.
    source.on('error', ignore);
    source.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#onProgress();
    if (!this.push(chunk)) this.#source.pause();
  };

  readonly #onEnd = (): void => {
    this.push(null);
  };

  readonly #onClose = (): void => {
    if (this.#source.readableEnded) return;
    this.destroy(new Error('the request body ended before it was complete', { cause: this.#source.errored }));
  };
}

function ignore(): void {}
