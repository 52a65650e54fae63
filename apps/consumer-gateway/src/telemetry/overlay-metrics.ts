import { READ_FAILURE_CODES, type RouterEvent, type RouterStatus } from '@switchyard/ai-route';
import type { Counter, Gauge, MetricRegistry } from '@switchyard/gateway-kit';
import { OVERLAY_ISSUE_CODES } from '@switchyard/overlay-contract';

/** What came of reading the overlay file, as `switchyard_overlay_reloads_total` counts it. */
export type ReloadOutcome = Extract<
  RouterEvent['type'],
  'accepted' | 'unchanged' | 'rejected' | 'unreadable' | 'rollback' | 'restored'
>;

/** Why a reading did not replace the overlay. */
export type ReloadFailureCode = Extract<RouterEvent, { type: 'rejected' | 'unreadable' }>['code'];

const outcomes: readonly ReloadOutcome[] = [
  'accepted',
  'unchanged',
  'rejected',
  'unreadable',
  'rollback',
  'restored',
];

const failureCodes: readonly ReloadFailureCode[] = [
  ...OVERLAY_ISSUE_CODES,
  'rollback_refused',
  'internal_error',
  ...READ_FAILURE_CODES,
];

/** A gauge that is read from the router at each scrape; undefined values show no sample. */
interface StatusGauge {
  readonly name: string;
  readonly help: string;
  readonly unit: string;
  readonly read: (status: RouterStatus) => number | null;
}

const statusGauges: readonly StatusGauge[] = [
  {
    name: 'switchyard_overlay_ready',
    help: '1 while an overlay serves that is not too old for the configured policy.',
    unit: '0 or 1',
    read: ({ health }) => (health.state === 'not_ready' ? 0 : 1),
  },
  {
    name: 'switchyard_overlay_degraded',
    help: '1 while an overlay serves although its file is bad, it is a restored copy or it is too old.',
    unit: '0 or 1',
    read: ({ health }) => (health.state === 'degraded' ? 1 : 0),
  },
  {
    name: 'switchyard_overlay_age_seconds',
    help: 'Time since the serving overlay was rendered (since it was loaded, when it does not say).',
    unit: 'seconds',
    read: ({ ageSeconds }) => ageSeconds,
  },
  {
    name: 'switchyard_overlay_last_success_timestamp_seconds',
    help: 'When the file was last read and found to hold what serves, in seconds since the epoch.',
    unit: 'seconds',
    read: ({ confirmedAt }) => (confirmedAt === null ? null : confirmedAt / 1000),
  },
  {
    name: 'switchyard_overlay_source_generation',
    help: 'Generation of the source that the serving overlay was rendered from.',
    unit: 'generations',
    read: ({ sourceGeneration }) => sourceGeneration,
  },
  {
    name: 'switchyard_overlay_candidates',
    help: 'Candidates of the serving overlay.',
    unit: 'candidates',
    read: ({ candidateCount }) => candidateCount,
  },
  {
    name: 'switchyard_overlay_watch_degraded',
    help: '1 while the system refuses file events and the file is only polled.',
    unit: '0 or 1',
    read: ({ watch }) => (watch === 'poll' ? 1 : 0),
  },
];

/** What the metrics say about the overlay. */
export class OverlayMetrics {
  readonly #reloads: Counter<'outcome'>;
  readonly #rejections: Counter<'code'>;
  readonly #lastAccepted: Gauge;
  /** Undefined until the router is there. */
  #status: (() => RouterStatus) | undefined;

  constructor(registry: MetricRegistry) {
    this.#reloads = registry.counter({
      name: 'switchyard_overlay_reloads_total',
      help: 'Readings of the overlay file by what came of them.',
      unit: 'readings',
      labels: { outcome: { help: 'What came of it.', values: outcomes } },
    });
    this.#rejections = registry.counter({
      name: 'switchyard_overlay_rejections_total',
      help: 'Readings that did not replace the overlay, by the code of the first issue.',
      unit: 'readings',
      labels: { code: { help: 'Code of the first issue.', values: failureCodes } },
    });
    this.#lastAccepted = registry.gauge({
      name: 'switchyard_overlay_last_accepted_timestamp_seconds',
      help: 'When the serving snapshot was put into service, in seconds since the epoch; 0 = never.',
      unit: 'seconds',
    });
    for (const { read, ...definition } of statusGauges) {
      registry.gauge(definition).read(() => (this.#status === undefined ? null : read(this.#status())));
    }
  }

  /** The overlay file was read; `code` says why that did not replace the overlay. */
  read(outcome: ReloadOutcome, code?: ReloadFailureCode): void {
    this.#reloads.inc({ outcome });
    if (code !== undefined) this.#rejections.inc({ code });
  }

  /** Another snapshot serves from now on. @param loadedAt - Epoch milliseconds. */
  serves(loadedAt: number): void {
    this.#lastAccepted.set({}, loadedAt / 1000);
  }

  /** From now on the router's status is read at each scrape. */
  observe(status: () => RouterStatus): void {
    this.#status = status;
  }
}
