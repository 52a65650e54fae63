import type { ServerResponse } from 'node:http';
import type { EventLog } from './event-log.ts';

/** A connection that has taken nothing for this many heartbeats is cut. */
const MAX_STUCK_BEATS = 4;

/** What a client needs to know of its hub. */
export interface EventClientParts {
  readonly log: EventLog;
  readonly response: ServerResponse;
  /** Where it goes on; undefined: at the whole state. */
  readonly resumeAt: number | undefined;
  /** The frame of the whole state, as of now. */
  readonly hello: () => string;
}

/** One open stream: a place in the log, moved on as fast as its connection takes the frames. */
export class EventClient {
  readonly #parts: EventClientParts;
  #at: number;
  #stuckBeats = 0;

  constructor(parts: EventClientParts) {
    this.#parts = parts;
    const { response, log, resumeAt } = parts;
    response.on('drain', () => this.pump());
    // A broken connection is how streams end; the hub hears `close`.
    response.on('error', () => undefined);
    response.write('retry: 1000\n\n');
    this.#at = resumeAt ?? log.last;
    if (resumeAt === undefined) response.write(parts.hello());
    this.pump();
  }

  /** Sends what is new, as long as the connection takes it. A client that fell behind the log starts anew. */
  pump(): void {
    const { log, response } = this.#parts;
    while (this.#at < log.last && !this.#blocked()) {
      const event = log.after(this.#at);
      if (event === undefined) {
        this.#resync();
        return;
      }
      this.#at = event.sequence;
      response.write(event.frame);
    }
  }

  /** Keeps the connection open through proxies, and cuts one that takes nothing any more. */
  beat(): void {
    if (this.#blocked()) {
      this.#stuckBeats += 1;
      if (this.#stuckBeats >= MAX_STUCK_BEATS) this.#parts.response.destroy();
      return;
    }
    this.#stuckBeats = 0;
    this.#parts.response.write(': heartbeat\n\n');
  }

  /** Ends the stream. */
  end(): void {
    this.#parts.response.end();
  }

  #blocked(): boolean {
    return this.#parts.response.writableNeedDrain || this.#parts.response.destroyed;
  }

  #resync(): void {
    const { log, response, hello } = this.#parts;
    const skipped = log.last - this.#at;
    this.#at = log.last;
    response.write(log.frame('resync', { skipped }, log.last));
    response.write(hello());
  }
}
