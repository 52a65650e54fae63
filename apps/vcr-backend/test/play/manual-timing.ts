import { ManualClock, waitUntil } from '@switchyard/test-kit';
import type { Timing } from '../../src/play/timing.ts';

/** Time that moves only when told to; waits end when it has moved past them. */
export class ManualTiming implements Timing {
  readonly #clock = new ManualClock();
  readonly #waits = new Set<{ dueMs: number; done: () => void }>();

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  epochMs(): number {
    return this.#clock.now();
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wait = {
        dueMs: this.monotonicMs() + ms,
        done: () => {
          this.#waits.delete(wait);
          resolve();
        },
      };
      this.#waits.add(wait);
      signal.addEventListener('abort', wait.done, { once: true });
    });
  }

  /** How many waits are open. */
  get waiting(): number {
    return this.#waits.size;
  }

  advance(ms: number): void {
    this.#clock.advance(ms);
    for (const wait of this.#waits) if (wait.dueMs <= this.monotonicMs()) wait.done();
  }

  /** Waits until somebody waits, then moves right to the end of that wait. Gives the time reached. */
  async advanceToNextWait(): Promise<number> {
    await waitUntil(() => this.waiting > 0, { what: 'a replay to wait for its next chunk', intervalMs: 1 });
    const dueMs = Math.min(...[...this.#waits].map((wait) => wait.dueMs));
    this.advance(dueMs - this.monotonicMs());
    return this.monotonicMs();
  }
}
