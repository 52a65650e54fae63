/** How a replay tells and spends time. Injected, so that tests need no real waiting. */
export interface Timing {
  /** Milliseconds on a clock that never goes back; its zero means nothing. */
  monotonicMs(): number;
  /** Milliseconds since 1970, for log lines only. */
  epochMs(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal fires. Never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The real clock and real timers. */
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
      const timer = setTimeout(done, ms);
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
