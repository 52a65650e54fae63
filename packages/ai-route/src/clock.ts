/** The two questions about time a router asks. Injected, so that tests and simulations own it. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. Expiry is measured with it. */
  monotonicMs(): number;
  /** Milliseconds since the Unix epoch. Only shown, but for the expiry of tokens, which outlive the process. */
  now(): number;
}

/** The clock of this process. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  now: () => Date.now(),
};
