import type { Counter, Gauge, MetricRegistry } from '@switchyard/gateway-kit';
import { OVERLAY_ISSUE_CODES } from '@switchyard/overlay-contract';
import type { SyncEvent } from '../sync/events.ts';
import type { SyncState } from '../sync/sync-state.ts';

/** The metrics of a copy, and what keeps them up to date. */
export interface SyncMetrics {
  readonly registry: MetricRegistry;
  /** Counts what happened. */
  observe(event: SyncEvent): void;
}

const PREFIX = 'switchyard_overlay_sync_';

/** Every outcome and reason of `events_total`, so that each series starts at zero. */
const OUTCOMES: readonly (readonly [outcome: string, reasons: readonly string[]])[] = [
  ['accepted', ['']],
  ['unchanged', ['same_bytes', 'same_revision']],
  ['rejected', OVERLAY_ISSUE_CODES],
  ['deleted', ['deleted']],
  ['error', ['missing_key', 'api_unavailable', 'stale', 'unreadable']],
];

/** Declares the metrics. No label ever holds a revision or a name. */
export function createSyncMetrics(
  registry: MetricRegistry,
  state: SyncState,
  now: () => number,
): SyncMetrics {
  const instruments = createInstruments(registry);
  const live = (name: string, help: string, read: () => number): void =>
    registry.gauge({ name: PREFIX + name, help, unit: '0 or 1' }).read(read);
  live('ready', 'Whether the output holds a valid overlay.', () => (state.ready ? 1 : 0));
  live('degraded', 'Whether something is wrong now; /status says what.', () =>
    state.snapshot().problems.length > 0 ? 1 : 0,
  );
  return { registry, observe: (event) => record(event, instruments, now() / 1000) };
}

interface Instruments {
  readonly events: Counter<'outcome' | 'reason'>;
  readonly writes: Counter<'outcome'>;
  readonly failures: Counter<'reason'>;
  readonly reconnects: Counter<'reason'>;
  readonly observedAt: Gauge;
  readonly writtenAt: Gauge;
  readonly size: Gauge;
}

function createInstruments(registry: MetricRegistry): Instruments {
  const counter = <L extends string>(
    name: string,
    about: Omit<Parameters<typeof registry.counter<L>>[0], 'name'>,
  ): Counter<L> => registry.counter({ name: PREFIX + name, ...about });
  const gauge = (name: string, unit: string, help: string): Gauge =>
    registry.gauge({ name: PREFIX + name, unit, help });

  const events = counter('events_total', {
    help: 'What the source told, by outcome and reason.',
    unit: 'events',
    labels: {
      outcome: { help: 'What it was.', values: OUTCOMES.map(([outcome]) => outcome) },
      reason: { help: 'Why, or empty.', values: [...new Set(OUTCOMES.flatMap(([, reasons]) => reasons))] },
    },
    zeroed: false,
  });
  for (const [outcome, reasons] of OUTCOMES) for (const reason of reasons) events.zero({ outcome, reason });
  return {
    events,
    writes: counter('file_writes_total', {
      help: 'Writes of the output file, by outcome.',
      unit: 'writes',
      labels: { outcome: { help: 'What came of it.', values: ['written', 'restored', 'failed'] } },
    }),
    failures: counter('validation_failures_total', {
      help: 'Rejected documents, by code of the first issue.',
      unit: 'documents',
      labels: { reason: { help: 'Code of the first issue.', values: OVERLAY_ISSUE_CODES } },
    }),
    reconnects: counter('watch_reconnects_total', {
      help: 'Watches that had to begin anew, by reason.',
      unit: 'watches',
      labels: {
        reason: { help: 'Why.', values: ['stream_ended', 'stream_error', 'expired', 'stale'] },
      },
    }),
    observedAt: gauge(
      'last_observed_timestamp_seconds',
      'seconds',
      'When the source last had a document, valid or not; 0 before.',
    ),
    writtenAt: gauge(
      'last_write_timestamp_seconds',
      'seconds',
      'When the output was last written; 0 before.',
    ),
    size: gauge('payload_bytes', 'bytes', 'Size of the last valid document.'),
  };
}

/** Counts what happened. */
function record(event: SyncEvent, instruments: Instruments, seconds: number): void {
  const { events, writes, failures, reconnects, observedAt, writtenAt, size } = instruments;
  switch (event.type) {
    case 'found_output':
      size.set({}, event.size);
      return;
    case 'accepted':
    case 'unchanged':
      events.inc({ outcome: event.type, reason: event.type === 'unchanged' ? event.reason : '' });
      observedAt.set({}, seconds);
      size.set({}, event.size);
      return;
    case 'rejected':
      events.inc({ outcome: 'rejected', reason: event.code });
      failures.inc({ reason: event.code });
      observedAt.set({}, seconds);
      return;
    case 'absent':
    case 'unavailable': {
      const { reason } = event;
      events.inc({ outcome: reason === 'deleted' ? 'deleted' : 'error', reason });
      return;
    }
    case 'reconnecting':
      reconnects.inc({ reason: event.reason });
      return;
    case 'written':
      writes.inc({ outcome: event.restored ? 'restored' : 'written' });
      writtenAt.set({}, seconds);
      return;
    case 'write_failed':
      writes.inc({ outcome: 'failed' });
      return;
    case 'alive':
    case 'intact':
      return;
  }
}
