import type { Clock } from '@switchyard/ai-route';

/** Time that passes when it is told to, so that a simulated hour takes no time and is the same every time. */
export class SimulatedTime implements Clock {
  #ms = 0;

  monotonicMs(): number {
    return this.#ms;
  }

  now(): number {
    return this.#ms;
  }

  pass(ms: number): void {
    this.#ms += ms;
  }
}
