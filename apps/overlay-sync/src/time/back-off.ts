import type { Jitter } from './time.ts';

/** How long to wait between attempts. */
export interface BackOffOptions {
  /** Before the second attempt, in milliseconds. */
  readonly initialMs: number;
  /** The longest wait, in milliseconds. */
  readonly maxMs: number;
}

/** The share of a wait that jitter may take away, so that many copies that failed together do not return together. */
const JITTER_SHARE = 0.25;

/** Waits that double from `initialMs` to `maxMs`, each shortened by up to a quarter at random. */
export class BackOff {
  readonly #options: BackOffOptions;
  readonly #jitter: Jitter;
  #failures = 0;

  constructor(options: BackOffOptions, jitter: Jitter) {
    this.#options = options;
    this.#jitter = jitter;
  }

  /** The wait after one more failure, in milliseconds. */
  next(): number {
    const { initialMs, maxMs } = this.#options;
    const full = Math.min(maxMs, initialMs * 2 ** this.#failures);
    if (full < maxMs) this.#failures++;
    return full * (1 - JITTER_SHARE * this.#jitter());
  }

  /** It works again: the next failure is a first one. */
  reset(): void {
    this.#failures = 0;
  }
}
