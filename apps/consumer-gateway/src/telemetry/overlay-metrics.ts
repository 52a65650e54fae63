import type { RouterEvent, RouterStatus } from '@switchyard/ai-route';
import { OVERLAY_ISSUE_CODES } from '@switchyard/overlay-contract';
import { Counter, Gauge, type Registry } from 'prom-client';

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
  'missing',
  'not_a_file',
  'unreadable',
];

/** A gauge that is read from the router at each scrape; undefined values show no sample. */
interface StatusGauge {
  readonly name: string;
  readonly help: string;
  readonly read: (status: RouterStatus) => number | null;
}

const statusGauges: readonly StatusGauge[] = [
  {
    name: 'switchyard_overlay_ready',
    help: '1 while an overlay serves that is not too old for the configured policy.',
    read: ({ health }) => (health.state === 'not_ready' ? 0 : 1),
  },
  {
    name: 'switchyard_overlay_degraded',
    help: '1 while an overlay serves although its file is bad, it is a restored copy or it is too old.',
    read: ({ health }) => (health.state === 'degraded' ? 1 : 0),
  },
  {
    name: 'switchyard_overlay_age_seconds',
    help: 'Time since the serving overlay was rendered (since it was loaded, when it does not say).',
    read: ({ ageSeconds }) => ageSeconds,
  },
  {
    name: 'switchyard_overlay_last_success_timestamp_seconds',
    help: 'When the file was last read and found to hold what serves, in seconds since the epoch.',
    read: ({ confirmedAt }) => (confirmedAt === null ? null : confirmedAt / 1000),
  },
  {
    name: 'switchyard_overlay_source_generation',
    help: 'Generation of the source that the serving overlay was rendered from.',
    read: ({ sourceGeneration }) => sourceGeneration,
  },
  {
    name: 'switchyard_overlay_candidates',
    help: 'Candidates of the serving overlay.',
    read: ({ candidateCount }) => candidateCount,
  },
  {
    name: 'switchyard_overlay_watch_degraded',
    help: '1 while the system refuses file events and the file is only polled.',
    read: ({ watch }) => (watch === 'poll' ? 1 : 0),
  },
];

/** What the metrics say about the overlay. */
export class OverlayMetrics {
  readonly #registry: Registry;
  readonly #reloads: Counter<'outcome'>;
  readonly #rejections: Counter<'code'>;
  readonly #lastAccepted: Gauge;
  readonly #info: Gauge<'revision'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#registry = registry;
    this.#reloads = new Counter({
      name: 'switchyard_overlay_reloads_total',
      help: 'Readings of the overlay file by what came of them.',
      labelNames: ['outcome'],
      registers,
    });
    this.#rejections = new Counter({
      name: 'switchyard_overlay_rejections_total',
      help: 'Readings that did not replace the overlay, by the code of the first issue.',
      labelNames: ['code'],
      registers,
    });
    this.#lastAccepted = new Gauge({
      name: 'switchyard_overlay_last_accepted_timestamp_seconds',
      help: 'When the serving snapshot was put into service, in seconds since the epoch; 0 = never.',
      registers,
    });
    this.#info = new Gauge({
      name: 'switchyard_overlay_info',
      help: 'Always 1; the label names the serving revision. One series at a time.',
      labelNames: ['revision'],
      registers,
    });
    for (const outcome of outcomes) this.#reloads.inc({ outcome }, 0);
    for (const code of failureCodes) this.#rejections.inc({ code }, 0);
  }

  /** The overlay file was read; `code` says why that did not replace the overlay. */
  read(outcome: ReloadOutcome, code?: ReloadFailureCode): void {
    this.#reloads.inc({ outcome });
    if (code !== undefined) this.#rejections.inc({ code });
  }

  /** Another snapshot serves from now on. @param loadedAt - Epoch milliseconds. */
  serves(revision: string, loadedAt: number): void {
    this.#info.reset();
    this.#info.set({ revision }, 1);
    this.#lastAccepted.set(loadedAt / 1000);
  }

  /** Adds the gauges that are read from the router's status at each scrape. Once. */
  observe(status: () => RouterStatus): void {
    for (const { name, help, read } of statusGauges) {
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          const value = read(status());
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    }
  }
}
