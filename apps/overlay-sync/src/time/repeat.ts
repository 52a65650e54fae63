import type { Time } from './time.ts';

/**
 * Calls every `ms` milliseconds, the first time after `ms`; never again before the last call has finished.
 * Returns what ends it. `work` must not reject.
 */
export function repeat(time: Time, ms: number, work: () => Promise<void>): () => void {
  let stopped = false;
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = time.after(ms, () => void work().then(() => (stopped ? undefined : arm())));
  };
  arm();
  return () => {
    stopped = true;
    cancel();
  };
}
