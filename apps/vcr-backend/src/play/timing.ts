/** How a replay tells and spends time. Injected, so that tests need no real waiting. */
export interface Timing {
  /** Milliseconds on a clock that never goes back; its zero means nothing. */
  monotonicMs(): number;
  /** Milliseconds since 1970, for log lines only. */
  epochMs(): number;
  /** Resolves after about `ms` milliseconds (timers may be early), or at once when the signal fires. Never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Longest delay that a timer of Node can count; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The real clock and real timers, which count whole milliseconds. */
export const systemTiming: Timing = {
  monotonicMs: () => performance.now(),
  epochMs: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.ceil(ms), TIMER_MS_MAX));
      signal.addEventListener('abort', done);
    }),
};

/**
 * When a recorded offset is due, in milliseconds after the start of a replay.
 *
 * @param speed - 1 is the recorded pace, 10 is ten times faster, 0 means at once
 */
export function dueMs(offsetMs: number, speed: number): number {
  return speed === 0 ? 0 : offsetMs / speed;
}
