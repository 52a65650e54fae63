/** Clock and timers, passed in so that tests own them. */
export interface Time {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds that never go backwards. */
  monotonicMs(): number;
  /** Calls once, `ms` milliseconds from now. Returns what calls it off. */
  after(ms: number, call: () => void): () => void;
}

/** The time of the process. */
export const systemTime: Time = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** A number from 0 up to but not including 1, anew at each call. */
export type Jitter = () => number;

/** Jitter of the process. */
export const systemJitter: Jitter = () => Math.random();
