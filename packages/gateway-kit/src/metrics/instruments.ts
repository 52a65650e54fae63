import type { DeclaredMetric } from './definition.ts';
import { type Labels, SeriesMap } from './series.ts';

/** A measured value that a trace stands for. Only sampled traces: others cannot be looked up. */
export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** State of one series of a counter or gauge. */
export interface NumberState {
  value: number;
}

/** State of one series of a histogram. */
export interface HistogramState {
  /** Observations per bucket, not cumulated; the last one is the infinite bucket. */
  readonly counts: number[];
  /** The newest exemplar per bucket. */
  readonly exemplars: (Exemplar | undefined)[];
  sum: number;
}

/** What goes up only. */
export class Counter<L extends string = never> {
  readonly #series: SeriesMap<NumberState>;

  /** Use {@link MetricRegistry.counter}. */
  constructor(definition: DeclaredMetric, onFold: () => void) {
    this.#series = new SeriesMap(definition, zeroNumber, onFold);
  }

  /** @param by - Default: 1. */
  inc(labels: Labels<L>, by = 1): void {
    this.#series.of(labels).value += by;
  }

  /** Begins a series at zero, so that it is 0 and not absent before the first event. */
  zero(labels: Labels<L>): void {
    this.#series.of(labels);
  }

  /** For the exposition. */
  series(): SeriesMap<NumberState> {
    return this.#series;
  }
}

/** What goes up and down. */
export class Gauge<L extends string = never> {
  readonly #series: SeriesMap<NumberState>;
  #collect: (() => void) | undefined;

  /** Use {@link MetricRegistry.gauge}. */
  constructor(definition: DeclaredMetric, onFold: () => void) {
    this.#series = new SeriesMap(definition, zeroNumber, onFold);
  }

  set(labels: Labels<L>, value: number): void {
    this.#series.of(labels).value = value;
  }

  /** @param by - Default: 1. */
  inc(labels: Labels<L>, by = 1): void {
    this.#series.of(labels).value += by;
  }

  dec(labels: Labels<L>): void {
    this.#series.of(labels).value -= 1;
  }

  /** Forgets all series. */
  clear(): void {
    this.#series.clear();
  }

  /** Runs before each scrape, to `set` or `clear`. What it throws costs this metric's values in that scrape only. */
  onCollect(collect: () => void): void {
    this.#collect = collect;
  }

  /** A gauge without labels that is read at each scrape; null shows no sample. */
  read(this: Gauge, value: () => number | null): void {
    this.onCollect(() => {
      const found = value();
      if (found === null) this.clear();
      else this.set({}, found);
    });
  }

  /** For the exposition. */
  series(): SeriesMap<NumberState> {
    this.#collect?.();
    return this.#series;
  }
}

/** How values are spread over buckets. */
export class Histogram<L extends string = never> {
  readonly bounds: readonly number[];
  readonly #series: SeriesMap<HistogramState>;
  readonly #now: () => number;

  /** Use {@link MetricRegistry.histogram}. @param now - Epoch milliseconds, for exemplars. */
  constructor(definition: DeclaredMetric, onFold: () => void, now: () => number) {
    const bounds = definition.buckets ?? [];
    this.bounds = bounds;
    this.#now = now;
    const create = (): HistogramState => ({
      counts: Array.from({ length: bounds.length + 1 }, () => 0),
      exemplars: [],
      sum: 0,
    });
    this.#series = new SeriesMap(definition, create, onFold);
  }

  /** @param traceId - Of the sampled trace that this value belongs to; undefined when there is none. */
  observe(labels: Labels<L>, value: number, traceId?: string): void {
    const state = this.#series.of(labels);
    let bucket = 0;
    for (const bound of this.bounds) {
      if (value <= bound) break;
      bucket += 1;
    }
    state.counts[bucket] = (state.counts[bucket] ?? 0) + 1;
    state.sum += value;
    if (traceId !== undefined) state.exemplars[bucket] = { traceId, value, at: this.#now() };
  }

  /** Begins a series at zero. */
  zero(labels: Labels<L>): void {
    this.#series.of(labels);
  }

  /** For the exposition. */
  series(): SeriesMap<HistogramState> {
    return this.#series;
  }
}

/** Any instrument. */
export type Instrument = Counter<string> | Gauge<string> | Histogram<string>;

function zeroNumber(): NumberState {
  return { value: 0 };
}
