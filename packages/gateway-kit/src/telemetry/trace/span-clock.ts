import type { HrTime } from '@opentelemetry/api';

/** Beyond this the wall clock was set, or ran at another speed for long. */
const DRIFT_MS = 50;

/** Where a {@link SpanClock} reads: both in milliseconds. */
export interface TimeSources {
  /** Wall clock, whole milliseconds since 1970. */
  readonly wall: () => number;
  /** Monotonic, with fractions. */
  readonly monotonic: () => number;
}

/**
 * Epoch times with fractions of a millisecond: the wall clock tells whole ones only, and spans of a routing decision
 * are shorter. Follows the wall clock when that is set.
 */
export class SpanClock {
  readonly #sources: TimeSources;
  #offset: number;

  constructor(sources: TimeSources = { wall: Date.now, monotonic: () => performance.now() }) {
    this.#sources = sources;
    this.#offset = sources.wall() - sources.monotonic();
  }

  /** Milliseconds since 1970, with fractions. */
  now(): number {
    const monotonic = this.#sources.monotonic();
    const wall = this.#sources.wall();
    if (Math.abs(this.#offset + monotonic - wall) > DRIFT_MS) this.#offset = wall - monotonic;
    return this.#offset + monotonic;
  }
}

/** Milliseconds -> seconds and nanoseconds, to the nearest. */
export function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  const nanoseconds = Math.round((ms - seconds * 1000) * 1e6);
  return nanoseconds < 1e9 ? [seconds, nanoseconds] : [seconds + 1, 0];
}
