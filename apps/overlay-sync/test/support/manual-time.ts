import { ManualClock } from '@switchyard/test-kit';
import type { Time } from '../../src/time/time.ts';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** Time whose timers fire only when it is advanced over them. */
export class ManualTime implements Time {
  readonly #clock = new ManualClock();
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#clock.now();
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.monotonicMs() + ms, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How far away the armed timers are, in milliseconds, the nearest first. */
  get pending(): number[] {
    return [...this.#timers].map(({ at }) => at - this.monotonicMs()).sort((a, b) => a - b);
  }

  /** Moves on, and fires what comes due on the way, in order. */
  advance(ms: number): void {
    const end = this.monotonicMs() + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#clock.advance(next.at - this.monotonicMs());
      next.call();
    }
    this.#clock.advance(end - this.monotonicMs());
  }
}
