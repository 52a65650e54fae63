import { get, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { TraceView, ViewEvents } from '../../src/index.ts';

/** One event of a stream. */
export interface StreamEvent<N extends keyof ViewEvents = keyof ViewEvents> {
  readonly id: string;
  readonly event: N;
  readonly data: ViewEvents[N];
}

/** An open stream of `/api/events`, read as a browser reads it. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  readonly comments: string[] = [];
  readonly response: IncomingMessage;
  #rest = '';
  #wake: (() => void) | undefined;
  #read = 0;

  /** Opens the stream; it is closed with the test. */
  static open(view: TraceView, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const request = get(`${view.url}api/events`, { headers, agent: false }, (response) =>
        resolve(new EventStream(response)),
      );
      request.on('error', reject);
      onTestFinished(() => void request.destroy());
    });
  }

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.on('error', () => undefined);
  }

  /** The next event of this name that was not handed out yet; those before it are passed over. */
  async next<N extends keyof ViewEvents>(event: N): Promise<StreamEvent<N>> {
    for (;;) {
      const at = this.events.findIndex(
        (candidate, index) => index >= this.#read && candidate.event === event,
      );
      const found = this.events[at];
      if (found !== undefined) {
        this.#read = at + 1;
        return found as StreamEvent<N>;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Closes the stream. */
  close(): void {
    this.response.destroy();
  }

  #take(chunk: string): void {
    const frames = (this.#rest + chunk).split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.startsWith(':')) this.comments.push(frame);
      const fields = Object.fromEntries(
        frame
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      ) as Record<string, string>;
      if (fields['data'] !== undefined)
        this.events.push({
          id: fields['id'] ?? '',
          event: fields['event'] as keyof ViewEvents,
          data: JSON.parse(fields['data']) as ViewEvents[keyof ViewEvents],
        });
    }
    this.#wake?.();
  }
}
