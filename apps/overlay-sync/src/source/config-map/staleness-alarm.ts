import type { Time } from '../../time/time.ts';

/** Goes off when nothing was heard for too long; armed again by the next thing heard. */
export class StalenessAlarm {
  readonly #time: Time;
  readonly #afterMs: number;
  readonly #ring: () => void;
  #cancel: () => void = () => undefined;
  #ringing = false;

  /** @param ring - Called once per silence. */
  constructor(time: Time, afterMs: number, ring: () => void) {
    this.#time = time;
    this.#afterMs = afterMs;
    this.#ring = ring;
  }

  /** Whether it went off and nothing was heard since. */
  get ringing(): boolean {
    return this.#ringing;
  }

  /** Something was heard: the silence begins anew. */
  heard(): void {
    this.#cancel();
    this.#ringing = false;
    this.#cancel = this.#time.after(this.#afterMs, () => {
      this.#ringing = true;
      this.#ring();
    });
  }

  stop(): void {
    this.#cancel();
  }
}
