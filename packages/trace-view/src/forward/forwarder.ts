import type { ForwardState } from '../contract/events.ts';
import { PASSED_ON_HEADER, type RawExport } from '../receiver/raw-export.ts';

/** Most exports that may wait for one back end, and most bytes of them. */
const MAX_WAITING = 256;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** How long one export may take, in milliseconds. */
const SEND_TIMEOUT_MS = 10_000;

/** What a forwarder works with. */
export interface ForwarderParts {
  readonly url: string;
  /** Told once when exports stop to get through, and once when they do again. */
  readonly onWarning: (message: string) => void;
  /** Called after each change of {@link Forwarder.state}. */
  readonly onChange: () => void;
}

/** Passes exports on to one OTLP back end, byte for byte, one at a time; what doesn't fit or fails is counted. */
export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #waiting: RawExport[] = [];
  readonly #closing = new AbortController();
  #waitingBytes = 0;
  #running = false;
  #state: ForwardState;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
    this.#state = { url: parts.url, sent: 0, failed: 0, dropped: 0, error: null };
  }

  /** How it goes. */
  get state(): ForwardState {
    return this.#state;
  }

  /** Takes an export to send, unless it was passed on before; never waits and never throws. */
  pass(raw: RawExport): void {
    if (raw.passedOn) return;
    if (this.#waiting.length >= MAX_WAITING || this.#waitingBytes + raw.body.length > MAX_WAITING_BYTES) {
      this.#change({ dropped: this.#state.dropped + 1 });
      return;
    }
    this.#waiting.push(raw);
    this.#waitingBytes += raw.body.length;
    if (!this.#running) void this.#run();
  }

  /** Ends the running attempt and forgets what waits. */
  close(): void {
    this.#closing.abort();
    this.#waiting.length = 0;
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let raw = this.#waiting.shift(); raw !== undefined; raw = this.#waiting.shift()) {
      this.#waitingBytes -= raw.body.length;
      const error = await this.#send(raw);
      if (this.#closing.signal.aborted) break;
      this.#account(error);
    }
    this.#running = false;
  }

  /** Why it failed; null when it went well. */
  async #send({ contentType, gzip, body }: RawExport): Promise<string | null> {
    try {
      const answer = await fetch(this.#parts.url, {
        method: 'POST',
        headers: {
          'content-type': contentType,
          [PASSED_ON_HEADER]: '1',
          ...(gzip ? { 'content-encoding': 'gzip' } : {}),
        },
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
      });
      await answer.body?.cancel();
      return answer.ok ? null : `status ${answer.status}`;
    } catch (error) {
      const { message, cause } = error as Error;
      return cause instanceof Error ? `${message}: ${cause.message}` : message;
    }
  }

  #account(error: string | null): void {
    const { url, onWarning } = this.#parts;
    const was = this.#state.error;
    if (error !== null && was === null) onWarning(`${url} does not take the spans passed on to it: ${error}`);
    if (error === null && was !== null) onWarning(`${url} takes spans again`);
    if (error === null) this.#change({ sent: this.#state.sent + 1, error });
    else this.#change({ failed: this.#state.failed + 1, error });
  }

  #change(change: Partial<ForwardState>): void {
    this.#state = { ...this.#state, ...change };
    this.#parts.onChange();
  }
}
