/** A label whose values are all known when the code is written. */
export interface ClosedLabel {
  readonly help: string;
  /** Every value there is. Another one is folded to `other` and counted by `switchyard_metrics_folded_total`. */
  readonly values: readonly string[];
}

/** A label whose values come from the configuration, the overlay or the system; never from a client. */
interface OpenLabel {
  readonly help: string;
  /** What keeps the number of values small, for the reference: `configured clusters, and none`. */
  readonly bound: string;
}

/** What a label means and which values it has. */
export type LabelDefinition = ClosedLabel | OpenLabel;

/** The type of a metric, in Prometheus' words. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/**
 * One declared metric. Registering is the only way to make an instrument, and it takes this whole declaration: what a
 * process exposes and what the reference says cannot differ.
 */
export interface MetricDefinition<L extends string = string> {
  /** Base unit at the end, `_total` at the end of a counter. */
  readonly name: string;
  /** One sentence: what is counted or measured, from when to when. */
  readonly help: string;
  /** What one step of the value is: `seconds`, `bytes`, or the thing counted, such as `requests`. */
  readonly unit: string;
  /** In the order in which they are written. Default: none. */
  readonly labels?: Readonly<Record<L, LabelDefinition>>;
  /**
   * Series this metric may have. Observations of further ones go to the series whose labels are all `other`.
   * Default: {@link MAX_SERIES}.
   */
  readonly maxSeries?: number;
  /**
   * Whether every combination of closed labels begins at zero. Default: true when all labels are closed. Say false where
   * most combinations cannot happen, and call `zero` for those that can.
   */
  readonly zeroed?: boolean;
}

/** A histogram's declaration. */
export interface HistogramDefinition<L extends string = string> extends MetricDefinition<L> {
  /** Upper bounds, ascending, without the last, infinite one. */
  readonly buckets: readonly number[];
}

/** A declared metric with its type, as {@link MetricRegistry.definitions} lists them. */
export interface DeclaredMetric extends MetricDefinition {
  readonly type: MetricType;
  readonly buckets?: readonly number[];
}

/** Series of one metric unless its declaration says otherwise. */
export const MAX_SERIES = 5000;

/** The value of a label that is not one of its values, or came when the metric was full. */
export const OTHER = 'other';

/** Whether all values of a label are known beforehand. */
export function isClosed(label: LabelDefinition): label is ClosedLabel {
  return 'values' in label;
}
