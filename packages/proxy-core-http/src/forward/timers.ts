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
 * The running time limits of one exchange.
 *
 * @internal
 */
export class ExchangeTimers {
  readonly #idleMs: number;
  readonly #expired: (timer: ExpiredTimer) => void;
  readonly #total: NodeJS.Timeout | undefined;
  #waiting: NodeJS.Timeout | undefined;

  constructor(timeouts: ForwardTimeouts, expired: (timer: ExpiredTimer) => void) {
    this.#expired = expired;
    this.#idleMs = limitMs(timeouts.idleMs);
    this.#waiting = this.#start('firstByte', limitMs(timeouts.firstByteMs));
    this.#total = this.#start('total', limitMs(timeouts.totalMs));
  }

  /** Something moved: the running wait starts again. */
  progress(): void {
    this.#waiting?.refresh();
  }

  /** The first byte is here: from now on the idle limit counts. */
  committed(): void {
    clearTimeout(this.#waiting);
    this.#waiting = this.#start('idle', this.#idleMs);
  }

  stop(): void {
    clearTimeout(this.#waiting);
    clearTimeout(this.#total);
  }

  #start(timer: ExpiredTimer, ms: number): NodeJS.Timeout | undefined {
    return ms === 0 ? undefined : setTimeout(this.#expired, ms, timer);
  }
}

function limitMs(ms: number | undefined): number {
  return ms !== undefined && ms > 0 ? Math.min(ms, MAX_TIMER_MS) : 0;
}
