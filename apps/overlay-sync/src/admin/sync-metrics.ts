import { createRegistry } from '@switchyard/gateway-kit';
import { OVERLAY_ISSUE_CODES } from '@switchyard/overlay-contract';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SyncEvent } from '../sync/events.ts';
import type { SyncState } from '../sync/sync-state.ts';
import { VERSION } from '../version.ts';

/** The metrics of a copy, and what keeps them up to date. */
export interface SyncMetrics {
  readonly registry: Registry;
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

/** Makes the metrics. No label ever holds a revision or a name. */
export function createSyncMetrics(state: SyncState, now: () => number): SyncMetrics {
  const registry = createRegistry({ app: 'overlay-sync', version: VERSION });
  const instruments = createInstruments(registry);
  const live = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name: PREFIX + name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
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

function createInstruments(registry: Registry): Instruments {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
    new Counter({ name: PREFIX + name, help, labelNames, registers: [registry] });
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: PREFIX + name, help, registers: [registry] });

  const events = counter('events_total', 'What the source told, by outcome and reason.', [
    'outcome',
    'reason',
  ]);
  const writes = counter('file_writes_total', 'Writes of the output file, by outcome.', ['outcome']);
  const failures = counter('validation_failures_total', 'Rejected documents, by code of the first issue.', [
    'reason',
  ]);
  const reconnects = counter('watch_reconnects_total', 'Watches that had to begin anew, by reason.', [
    'reason',
  ]);
  const observedAt = gauge(
    'last_observed_timestamp_seconds',
    'When the source last had a document, valid or not; 0 before.',
  );
  const writtenAt = gauge('last_write_timestamp_seconds', 'When the output was last written; 0 before.');
  const size = gauge('payload_bytes', 'Size of the last valid document.');

  for (const [outcome, reasons] of OUTCOMES) for (const reason of reasons) events.inc({ outcome, reason }, 0);
  for (const outcome of ['written', 'restored', 'failed']) writes.inc({ outcome }, 0);
  for (const reason of OVERLAY_ISSUE_CODES) failures.inc({ reason }, 0);
  for (const reason of ['stream_ended', 'stream_error', 'expired', 'stale']) reconnects.inc({ reason }, 0);

  return { events, writes, failures, reconnects, observedAt, writtenAt, size };
}

/** Counts what happened. */
function record(event: SyncEvent, instruments: Instruments, seconds: number): void {
  const { events, writes, failures, reconnects, observedAt, writtenAt, size } = instruments;
  switch (event.type) {
    case 'found_output':
      size.set(event.size);
      return;
    case 'accepted':
    case 'unchanged':
      events.inc({ outcome: event.type, reason: event.type === 'unchanged' ? event.reason : '' });
      observedAt.set(seconds);
      size.set(event.size);
      return;
    case 'rejected':
      events.inc({ outcome: 'rejected', reason: event.code });
      failures.inc({ reason: event.code });
      observedAt.set(seconds);
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
      writtenAt.set(seconds);
      return;
    case 'write_failed':
      writes.inc({ outcome: 'failed' });
      return;
    case 'alive':
    case 'intact':
      return;
  }
}
