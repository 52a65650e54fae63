/** Options of {@link ManualClock}. */
export interface ManualClockOptions {
  /** Epoch milliseconds that `now()` answers at the start. Default 2026-01-01T00:00:00Z. */
  readonly epochMs?: number;
  /** Milliseconds that `monotonicMs()` answers at the start. Default 0. */
  readonly monotonicMs?: number;
}

/** A clock that moves only when told to; both readings move together. */
export class ManualClock {
  #epochMs: number;
  #monotonicMs: number;

  constructor(options: ManualClockOptions = {}) {
    this.#epochMs = options.epochMs ?? Date.UTC(2026, 0, 1);
    this.#monotonicMs = options.monotonicMs ?? 0;
  }

  /** Milliseconds that never go backwards. */
  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** Wall clock, epoch milliseconds. */
  now(): number {
    return this.#epochMs;
  }

  /**
   * Moves both readings forward.
   * @throws RangeError when `ms` is negative or not finite.
   */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`advance(${ms}): expected milliseconds >= 0`);
    this.#epochMs += ms;
    this.#monotonicMs += ms;
  }

  /** Sets the wall clock alone, also backwards, as NTP or an operator does. */
  setWallClock(epochMs: number): void {
    this.#epochMs = epochMs;
  }
}
