import {
  type DeclaredMetric,
  isClosed,
  type LabelDefinition,
  MAX_SERIES,
  type MetricType,
} from '../metrics/definition.ts';
import { MetricRegistry } from '../metrics/registry.ts';
import { RUNTIME_METRICS } from '../metrics/runtime.ts';
import { type EnvironmentVariable, OTEL_VARIABLES } from '../telemetry/environment.ts';
import type { SpanDefinition } from '../telemetry/names/span-definition.ts';

/** What an app tells of itself: the source of `--print-telemetry` and of the reference. */
export interface AppTelemetry {
  /** Declares all of the app's metrics in a registry, the way the running app does. Their values are never read. */
  readonly metrics: (registry: MetricRegistry) => unknown;
  /** Every kind of span the app makes. Default: none. */
  readonly spans?: readonly SpanDefinition[];
}

/** A metric as the description has it. */
interface DescribedMetric {
  readonly name: string;
  readonly type: MetricType;
  readonly unit: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, LabelDefinition>>;
  readonly buckets?: readonly number[];
  readonly maxSeries: number;
  /** Whether every app has it. */
  readonly runtime: boolean;
}

/** All telemetry of one app, as `--print-telemetry` prints it. */
export interface TelemetryDescription {
  readonly app: string;
  readonly metrics: readonly DescribedMetric[];
  readonly spans: readonly SpanDefinition[];
  /** Variables that are heeded; the same for every app. */
  readonly environment: readonly EnvironmentVariable[];
}

/** Describes what an app exposes, from the declarations that it registers with. */
export function describeTelemetry(app: string, telemetry: AppTelemetry): TelemetryDescription {
  const common = new MetricRegistry({ app, version: '0', runtime: false }).definitions();
  const registry = new MetricRegistry({ app, version: '0', runtime: false });
  telemetry.metrics(registry);
  const everywhere = new Set([...common, ...RUNTIME_METRICS].map(({ name }) => name));
  const metrics = [...registry.definitions(), ...RUNTIME_METRICS];
  return {
    app,
    metrics: metrics.map((metric) => ({ ...describe(metric), runtime: everywhere.has(metric.name) })),
    spans: telemetry.spans ?? [],
    environment: OTEL_VARIABLES,
  };
}

function describe(metric: DeclaredMetric): Omit<DescribedMetric, 'runtime'> {
  const { name, type, unit, help, labels = {}, buckets } = metric;
  return {
    name,
    type,
    unit,
    help,
    labels,
    ...(buckets === undefined ? {} : { buckets }),
    maxSeries: seriesOf(Object.values(labels)) ?? metric.maxSeries ?? MAX_SERIES,
  };
}

/** The number of combinations when all labels are closed; else undefined. */
function seriesOf(labels: readonly LabelDefinition[]): number | undefined {
  let combinations = 1;
  for (const label of labels) {
    if (!isClosed(label)) return undefined;
    combinations *= label.values.length;
  }
  return combinations;
}
