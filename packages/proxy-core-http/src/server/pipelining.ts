import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Counts the requests of each connection that wait behind an earlier answer. Node parses and announces every request
 * that a client sends ahead, so without a bound one connection could keep any number of them in flight.
 *
 * @internal
 */
export class PipelineGate {
  readonly #max: number;
  readonly #waiting = new WeakMap<Socket, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether this request may be served; it is counted until its answer is over. */
  admit(outgoing: ServerResponse): boolean {
    // Node gives a response its socket when its turn comes: at once, unless an earlier answer is unfinished.
    if (outgoing.socket !== null) return true;
    const { socket } = outgoing.req;
    const waiting = this.#waiting.get(socket) ?? 0;
    if (waiting >= this.#max) return false;
    this.#waiting.set(socket, waiting + 1);
    outgoing.once('close', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
    });
    return true;
  }
}
