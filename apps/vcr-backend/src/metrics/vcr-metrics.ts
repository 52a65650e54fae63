import { createRegistry } from '@switchyard/gateway-kit';
import { Counter, type Registry } from 'prom-client';
import type { ReplyRecord } from '../log/reply-record.ts';

/** The metrics of the server, and what keeps them up to date. */
export interface VcrMetrics {
  readonly registry: Registry;
  /** Counts a reply that has ended. */
  observe(record: Pick<ReplyRecord, 'hit' | 'status'>): void;
}

/** Makes the metrics. The labels are bounded: whether a cassette answered, and the status sent. */
export function createVcrMetrics(app: { readonly name: string; readonly version: string }): VcrMetrics {
  const registry = createRegistry({ app: app.name, version: app.version });
  const replies = new Counter({
    name: 'switchyard_vcr_replies_total',
    help: 'Replies that have ended, by whether a cassette was played and by status; 499: the client left before one was sent.',
    labelNames: ['hit', 'status'],
    registers: [registry],
  });
  // The two that everybody asks for exist from the start, so that a rate over them is never without data.
  replies.inc({ hit: 'true', status: '200' }, 0);
  replies.inc({ hit: 'false', status: '404' }, 0);
  return {
    registry,
    observe: ({ hit, status }) => replies.inc({ hit: String(hit), status: String(status) }),
  };
}
