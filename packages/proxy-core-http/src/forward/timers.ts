// Hot path: one timer per exchange, set once; what moves only writes down when.
import { systemMonotonicMs } from '../upstream/system-clock.ts';

/** Time limits of one exchange in milliseconds; 0 or absent switches one off. */
export interface ForwardTimeouts {
  /**
   * From the start, connecting included, to the first byte of the answer's body (or its end). While a streamed
   * request body is being sent it counts from the last piece sent. Default off.
   */
  readonly firstByteMs?: number;
  /** After the first byte: longest time in which nothing moves, from the upstream or into the client. Default off. */
  readonly idleMs?: number;
  /** From the start to the last byte. Default off. */
  readonly totalMs?: number;
}

/** Which limit was reached. */
export type ExpiredTimer = 'firstByte' | 'idle' | 'total';

/** Node's timers take a longer time for one millisecond. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The running time limits of one exchange. Its timer is set for the shortest of them and, when it goes off too early
 * for what has moved since, for the rest.
 *
 * @internal
 */
export class ExchangeTimers {
  readonly #firstByteMs: number;
  readonly #idleMs: number;
  readonly #totalMs: number;
  readonly #expired: (timer: ExpiredTimer) => void;
  readonly #startedMs: number;
  #movedMs: number;
  #committed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(timeouts: ForwardTimeouts, expired: (timer: ExpiredTimer) => void) {
    this.#firstByteMs = limitMs(timeouts.firstByteMs);
    this.#idleMs = limitMs(timeouts.idleMs);
    this.#totalMs = limitMs(timeouts.totalMs);
    this.#expired = expired;
    this.#startedMs = systemMonotonicMs();
    this.#movedMs = this.#startedMs;
    const soonest = Math.min(this.#firstByteMs, this.#idleMs, this.#totalMs);
    if (soonest !== OFF) this.#wait(soonest);
  }

  /** Something moved: the running wait starts again. */
  progress(): void {
    this.#movedMs = systemMonotonicMs();
  }

  /** The first byte is here: from now on the idle limit counts. */
  committed(): void {
    this.#committed = true;
    this.progress();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(check, Math.min(Math.ceil(ms), MAX_TIMER_MS), this);
  }

  /** Called by the timer only. */
  check(): void {
    const now = systemMonotonicMs();
    const totalLeft = this.#startedMs + this.#totalMs - now;
    const waitLeft = this.#movedMs + (this.#committed ? this.#idleMs : this.#firstByteMs) - now;
    // Before the first byte the idle limit does not count yet, but it may be the next one that does.
    const left = Math.min(totalLeft, waitLeft, this.#committed ? OFF : this.#idleMs);
    if (left > 0) {
      if (left !== OFF) this.#wait(left);
    } else if (totalLeft <= waitLeft) this.#expired('total');
    else this.#expired(this.#committed ? 'idle' : 'firstByte');
  }
}

/** Not a method: a bound one would be made for each exchange. */
function check(timers: ExchangeTimers): void {
  timers.check();
}

/** A limit that is never reached. */
const OFF = Number.POSITIVE_INFINITY;

function limitMs(ms: number | undefined): number {
  return ms !== undefined && ms > 0 ? ms : OFF;
}
