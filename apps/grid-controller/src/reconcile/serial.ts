/**
 * Runs `work` one at a time. A call while it runs makes it run once more afterwards, however many calls came: the last
 * state of the world is always looked at, and no pass overlaps another.
 */
export function serial(work: () => Promise<void>): {
  readonly trigger: () => void;
  readonly idle: () => Promise<void>;
} {
  let running: Promise<void> | null = null;
  let again = false;
  const loop = async (): Promise<void> => {
    do {
      again = false;
      await work();
    } while (again);
    running = null;
  };
  return {
    trigger() {
      if (running === null) running = loop();
      else again = true;
    },
    idle: () => running ?? Promise.resolve(),
  };
}
