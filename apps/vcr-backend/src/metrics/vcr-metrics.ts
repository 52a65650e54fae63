import type { MetricRegistry } from '@switchyard/gateway-kit';
import type { ReplyRecord } from '../log/reply-record.ts';

/** The metrics of the server, and what keeps them up to date. */
export interface VcrMetrics {
  readonly registry: MetricRegistry;
  /** Counts a reply that has ended. */
  observe(record: Pick<ReplyRecord, 'hit' | 'status'>): void;
}

/** Declares the metrics. The labels are bounded: whether a cassette answered, and the status sent. */
export function createVcrMetrics(registry: MetricRegistry): VcrMetrics {
  const replies = registry.counter({
    name: 'switchyard_vcr_replies_total',
    help: 'Replies that have ended, by whether a cassette was played and by status; 499: the client left before one was sent.',
    unit: 'replies',
    labels: {
      hit: { help: 'Whether a cassette was played.', values: ['true', 'false'] },
      status: { help: 'Status that was sent; 499: none.', bound: 'three-digit statuses of the cassettes' },
    },
    maxSeries: 200,
  });
  // The two that everybody asks for exist from the start, so that a rate over them is never without data.
  replies.zero({ hit: 'true', status: '200' });
  replies.zero({ hit: 'false', status: '404' });
  return {
    registry,
    observe: ({ hit, status }) => replies.inc({ hit: String(hit), status: String(status) }),
  };
}
