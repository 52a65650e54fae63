import type { ViewEvents } from '../contract/events.ts';

/** One delta, ready to be sent. */
export interface LoggedEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The whole frame of the stream. */
  readonly frame: string;
}

/** Bounds of an {@link EventLog}. */
export interface EventLogBounds {
  readonly maxEvents: number;
  /** Of all frames together, in characters. */
  readonly maxCharacters: number;
}

/**
 * The last deltas, once for all clients: a client is a place in this log, so a slow one takes no memory of its own,
 * and one that comes back finds what it missed.
 */
export class EventLog {
  readonly #epoch: string;
  readonly #bounds: EventLogBounds;
  #events: LoggedEvent[] = [];
  #characters = 0;
  #last = 0;

  /** @param epoch differs at each start, so that ids of another start are told apart. */
  constructor(epoch: string, bounds: EventLogBounds) {
    this.#epoch = epoch;
    this.#bounds = bounds;
  }

  /** Number of the last delta; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** Adds a delta; the oldest leave past the bounds. */
  add<N extends keyof ViewEvents>(name: N, data: ViewEvents[N]): void {
    this.#last += 1;
    const frame = this.frame(name, data, this.#last);
    this.#events.push({ sequence: this.#last, frame });
    this.#characters += frame.length;
    while (this.#events.length > this.#bounds.maxEvents || this.#characters > this.#bounds.maxCharacters) {
      const oldest = this.#events.shift();
      if (oldest === undefined) return;
      this.#characters -= oldest.frame.length;
    }
  }

  /** The delta behind `sequence`; undefined when it has left already, or isn't there yet. */
  after(sequence: number): LoggedEvent | undefined {
    const first = this.#events[0]?.sequence ?? 0;
    return this.#events[sequence + 1 - first];
  }

  /** A frame of the stream that leads to `sequence`. */
  frame<N extends keyof ViewEvents>(name: N, data: ViewEvents[N], sequence: number): string {
    return `id: ${this.#epoch}-${sequence}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  /** Where a client that names this Last-Event-ID goes on; undefined when it has to start anew. */
  resume(lastEventId: string | undefined): number | undefined {
    const [epoch, text] = lastEventId?.split('-') ?? [];
    if (epoch !== this.#epoch || text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
    const sequence = Number(text);
    return sequence === this.#last || this.after(sequence) !== undefined ? sequence : undefined;
  }
}
