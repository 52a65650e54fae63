import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LineWriter } from '../log/line-writer.ts';
import type { Clock } from '../time/clock.ts';

/** Most characters of a client's text that a line repeats. */
const SHOWN_CHARS = 100;

/** What an {@link UnroutedReport} tells with. */
export interface UnroutedSinks {
  readonly lines: LineWriter;
  readonly clock: Clock;
  /** Told once per request: its status, null when the client left before one, and the code of a refusal. */
  readonly count: (status: number | null, code: string | null) => void;
}

/**
 * Tells of what a gateway's port answered without routing it: one `unrouted` line and one count each. Lines are short
 * whatever the client sent, and never show a query, which may hold a key.
 */
export class UnroutedReport {
  readonly #sinks: UnroutedSinks;

  constructor(sinks: UnroutedSinks) {
    this.#sinks = sinks;
  }

  /** A request that the gateway answers itself; told when its answer is over. */
  follow({ method = '', url = '' }: IncomingMessage, outgoing: ServerResponse): void {
    const [path = ''] = url.split('?', 1);
    outgoing.once('close', () => {
      // Without a head the client left before it was answered.
      const status = outgoing.headersSent ? outgoing.statusCode : null;
      this.#tell({ method: shown(method), path: shown(path), status, code: null, reason: null });
    });
  }

  /** Bytes that never became a request to serve; `error` says what was wrong with them. */
  refused(
    { status, code }: { readonly status: number; readonly code: string },
    error: Error & { code?: string },
  ): void {
    this.#tell({ method: null, path: null, status, code, reason: shown(error.code ?? error.message) });
  }

  #tell(about: {
    readonly method: string | null;
    readonly path: string | null;
    readonly status: number | null;
    readonly code: string | null;
    readonly reason: string | null;
  }): void {
    const { lines, clock, count } = this.#sinks;
    lines.write({ event: 'unrouted', at: new Date(clock.now()).toISOString(), ...about });
    count(about.status, about.code);
  }
}

function shown(text: string): string {
  return text.slice(0, SHOWN_CHARS);
}
