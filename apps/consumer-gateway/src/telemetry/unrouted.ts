import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, LineWriter } from '@switchyard/gateway-kit';
import type { GatewayFailure } from '../answer/gateway-failure.ts';
import type { GatewayMetrics } from './metrics.ts';

/** Most characters of a client's text that a line repeats. */
const SHOWN_CHARS = 100;

/** What this report is told with. */
export interface UnroutedSinks {
  readonly lines: LineWriter;
  readonly metrics: GatewayMetrics;
  readonly clock: Clock;
}

/**
 * Tells of what the open port answered without routing it: one `unrouted` line and one count each. Lines are short
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
  refused({ status, code }: GatewayFailure, error: Error & { code?: string }): void {
    this.#tell({ method: null, path: null, status, code, reason: shown(error.code ?? error.message) });
  }

  #tell(about: {
    readonly method: string | null;
    readonly path: string | null;
    readonly status: number | null;
    readonly code: string | null;
    readonly reason: string | null;
  }): void {
    const { lines, metrics, clock } = this.#sinks;
    lines.write({ event: 'unrouted', at: new Date(clock.now()).toISOString(), ...about });
    metrics.unroutedAnswered(about.status);
  }
}

function shown(text: string): string {
  return text.slice(0, SHOWN_CHARS);
}
