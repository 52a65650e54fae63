import type { Clock } from '../clock.ts';
import type { ServedOverlay } from './last-good.ts';

/**
 * When what an overlay says was true: the time its producer rendered it; without one, when it was loaded. A gateway that
 * restarts with an old file, or whose control plane has died, doesn't look fresh.
 */
function bornAt({ overlay, loadedAt }: ServedOverlay): number {
  const renderedAt =
    overlay.provenance === undefined ? Number.NaN : Date.parse(overlay.provenance.renderedAt);
  return Number.isNaN(renderedAt) ? loadedAt : renderedAt;
}

/** Age in milliseconds; 0 for an overlay from the future, since the producer's clock may be ahead of ours. */
export function ageOf(served: ServedOverlay, now: number): number {
  return Math.max(0, now - bornAt(served));
}

/** What an age alarm needs. */
export interface AgeAlarmOptions {
  readonly clock: Clock;
  readonly maxAgeMs: number;
  readonly onExpired: (ageMs: number) => void;
}

/** Node fires timers that are set further ahead at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Tells once when an overlay grows too old. */
export class AgeAlarm {
  readonly #options: AgeAlarmOptions;
  #timer: NodeJS.Timeout | undefined;
  #bornAt: number | undefined;

  constructor(options: AgeAlarmOptions) {
    this.#options = options;
  }

  /** Counts from the birth of the overlay that is served now. */
  watch(served: ServedOverlay): void {
    const born = bornAt(served);
    if (born === this.#bornAt) return;
    this.#bornAt = born;
    this.#wait();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const { clock, maxAgeMs, onExpired } = this.#options;
    const ageMs = Math.max(0, clock.now() - (this.#bornAt ?? 0));
    if (ageMs > maxAgeMs) {
      onExpired(ageMs);
      return;
    }
    this.#timer = setTimeout(() => this.#wait(), Math.min(maxAgeMs - ageMs + 1, TIMER_MS_MAX));
    this.#timer.unref();
  }
}
