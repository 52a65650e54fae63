import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** Work that can be interrupted between any two steps. Each step takes microseconds. */
export type Steps<Result> = Generator<void, Result, void>;

/** Longest stretch of work that a request may find itself waiting behind, in milliseconds. */
const SLICE_MS = 1;
/** Steps between two looks at the clock: a look costs about as much as a step. */
const STEPS_PER_LOOK = 32;

/** Does the whole work at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Does the work in slices of a millisecond, so that requests get their turn in between. Short work is done at once.
 *
 * @param signal - Abandons the work.
 * @returns undefined when it was abandoned.
 */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    const endsAt = clock.monotonicMs() + SLICE_MS;
    do {
      for (let i = 0; i < STEPS_PER_LOOK; i++) {
        const step = steps.next();
        if (step.done === true) return step.value;
      }
    } while (clock.monotonicMs() < endsAt);
    await nextTurn();
  }
  return undefined;
}
