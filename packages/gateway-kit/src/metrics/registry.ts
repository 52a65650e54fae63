import type { DeclaredMetric, HistogramDefinition, MetricDefinition, MetricType } from './definition.ts';
import { type ExpositionFormat, familyText, type Sample, samplesOf } from './exposition.ts';
import { Counter, Gauge, Histogram, type Instrument } from './instruments.ts';
import { measureRuntime, RUNTIME_METRICS } from './runtime.ts';

/** What a registry is made for. */
export interface RegistryOptions {
  /** The app's name, label of `switchyard_build_info`. */
  readonly app: string;
  /** The app's version, label of `switchyard_build_info`. */
  readonly version: string;
  /** Whether process and Node.js metrics are collected too. Default: true. */
  readonly runtime?: boolean;
  /** Epoch milliseconds, for exemplars. Default: the system's clock. */
  readonly now?: () => number;
}

/** The text of a scrape, and the metrics that could not be collected. */
export interface Exposition {
  readonly text: string;
  readonly failures: readonly { readonly metric: string; readonly error: unknown }[];
}

interface Registered {
  readonly definition: DeclaredMetric;
  readonly samples: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/**
 * The metrics of one process: declared here, written by their instruments, read at a scrape. There is no global one.
 * Names and labels are judged when a metric is declared, so that nothing a scraper would refuse can be exposed.
 */
export class MetricRegistry {
  readonly #metrics = new Map<string, Registered>();
  readonly #now: () => number;
  readonly #folded: Counter<'metric'> | undefined;

  /** With `switchyard_build_info`, `switchyard_metrics_folded_total` and, unless told otherwise, the runtime's metrics. */
  constructor(options: RegistryOptions) {
    this.#now = options.now ?? Date.now;
    this.gauge({
      name: 'switchyard_build_info',
      help: 'Always 1; the labels say which app in which version runs.',
      unit: 'always 1',
      labels: {
        app: { help: 'Name of the app.', bound: 'one' },
        version: { help: 'Its version.', bound: 'one' },
      },
    }).set({ app: options.app, version: options.version }, 1);
    this.#folded = this.counter({
      name: 'switchyard_metrics_folded_total',
      help: 'New label combinations that were folded to "other", because the metric had too many or did not know a value.',
      unit: 'combinations',
      labels: { metric: { help: 'The metric.', bound: 'declared metrics' } },
    });
    if (options.runtime ?? true) {
      const read = measureRuntime();
      for (const definition of RUNTIME_METRICS) this.#add(definition, () => read(definition.name));
    }
  }

  /** @throws TypeError when the name is taken or against Prometheus' rules. */
  counter<L extends string = never>(definition: MetricDefinition<L>): Counter<L> {
    const declared = declare('counter', definition);
    return this.#instrument(declared, new Counter<L>(declared, this.#onFold(declared)));
  }

  /** @throws TypeError as {@link counter}. */
  gauge<L extends string = never>(definition: MetricDefinition<L>): Gauge<L> {
    const declared = declare('gauge', definition);
    return this.#instrument(declared, new Gauge<L>(declared, this.#onFold(declared)));
  }

  /** @throws TypeError as {@link counter}. */
  histogram<L extends string = never>(definition: HistogramDefinition<L>): Histogram<L> {
    const declared = declare('histogram', definition);
    return this.#instrument(declared, new Histogram<L>(declared, this.#onFold(declared), this.#now));
  }

  /** Everything this registry exposes, in the order of the scrape. */
  definitions(): DeclaredMetric[] {
    return Array.from(this.#metrics.values(), ({ definition }) => definition);
  }

  /** All metrics as text. A collector that throws costs its own metric only; the failure is named in a comment. */
  async expose(format: ExpositionFormat = 'prometheus'): Promise<Exposition> {
    const failures: { metric: string; error: unknown }[] = [];
    let text = '';
    for (const { definition, samples } of this.#metrics.values()) {
      try {
        text += familyText(definition, await samples(), format);
      } catch (error) {
        failures.push({ metric: definition.name, error });
        // OpenMetrics allows no comments.
        if (format === 'prometheus') text += `# ${definition.name} could not be collected\n`;
      }
    }
    return { text: format === 'openmetrics' ? `${text}# EOF\n` : text, failures };
  }

  #instrument<T extends Instrument>(definition: DeclaredMetric, instrument: T): T {
    this.#add(definition, () => samplesOf(definition.name, instrument));
    // 0 from the start: an alert on it must not be without data. Not yet there while it is declared itself.
    if (definition.labels !== undefined) this.#folded?.zero({ metric: definition.name });
    return instrument;
  }

  #add(definition: DeclaredMetric, samples: Registered['samples']): void {
    if (this.#metrics.has(definition.name))
      throw new TypeError(`metric ${definition.name} is declared twice, expected once`);
    this.#metrics.set(definition.name, { definition, samples });
  }

  #onFold({ name }: DeclaredMetric): () => void {
    return () => this.#folded?.inc({ metric: name });
  }
}

const RESERVED_LABELS: ReadonlySet<string> = new Set(['le', 'quantile']);

/** https://prometheus.io/docs/practices/naming/ */
function declare(type: MetricType, definition: MetricDefinition | HistogramDefinition): DeclaredMetric {
  const { name } = definition;
  const refuse = (what: string): TypeError => new TypeError(`metric ${name}: ${what}`);
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw refuse('expected lower-case letters, digits and underscores');
  if ((type === 'counter') !== name.endsWith('_total'))
    throw refuse('expected _total at the end of a counter and of nothing else');
  for (const unit of ['seconds', 'bytes']) {
    if (definition.unit === unit && !new RegExp(`_${unit}(_total)?$`).test(name))
      throw refuse(`expected its unit ${unit} at the end of its name`);
  }
  for (const label of Object.keys(definition.labels ?? {})) {
    if (!/^[a-z][a-z0-9_]*$/.test(label) || RESERVED_LABELS.has(label))
      throw refuse(`label ${label} is not allowed`);
  }
  return { ...definition, type };
}
