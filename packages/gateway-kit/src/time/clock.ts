/** Time as a request pipeline needs it; injected so that tests own it. */
export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  monotonicMs(): number;
  /** Epoch milliseconds. */
  now(): number;
}

/** The machine's clocks. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  now: () => Date.now(),
};
