// Hot path: asked once per request.
import type { Load } from '../retry/retry-policy.ts';

/** Requests that began in one stretch of time and have not ended. */
export interface Tally {
  inFlight: number;
  /** Those of them that are past their first attempt. */
  retrying: number;
}

/**
 * A request that has not ended after this time, or twice this time at most, counts as lost: a caller that forgets to end
 * one now and then would otherwise use up the retry budget for ever. One that is merely slow goes on undisturbed, but is no
 * longer counted.
 */
const LOST_AFTER_MS = 3_600_000;

/**
 * How many requests are under way. Each is counted in the tally of the stretch in which it began, and the tallies of the
 * last two stretches are looked at: forgetting the lost takes neither a list of requests nor a timer.
 */
export class UnderWay {
  #present: Tally = { inFlight: 0, retrying: 0 };
  #before: Tally = { inFlight: 0, retrying: 0 };
  #sinceMs = Number.NEGATIVE_INFINITY;

  /** Counts a request that begins. @returns What it is counted in, to be taken off there when it ends. */
  arrive(nowMs: number): Tally {
    this.#turnOver(nowMs);
    this.#present.inFlight++;
    return this.#present;
  }

  load(nowMs: number): Load {
    this.#turnOver(nowMs);
    return {
      inFlight: this.#present.inFlight + this.#before.inFlight,
      retrying: this.#present.retrying + this.#before.retrying,
    };
  }

  #turnOver(nowMs: number): void {
    const agoMs = nowMs - this.#sinceMs;
    if (agoMs < LOST_AFTER_MS) return;
    this.#before = agoMs < 2 * LOST_AFTER_MS ? this.#present : { inFlight: 0, retrying: 0 };
    this.#present = { inFlight: 0, retrying: 0 };
    this.#sinceMs = nowMs;
  }
}
