import type { DeclaredMetric } from './definition.ts';
import { type Exemplar, Histogram, type HistogramState, type Instrument } from './instruments.ts';
import type { Series } from './series.ts';

/** The two text formats of Prometheus. Exemplars exist in `openmetrics` only. */
export type ExpositionFormat = 'prometheus' | 'openmetrics';

/** What a scrape's answer is labelled with. */
export const CONTENT_TYPES: Readonly<Record<ExpositionFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** One line of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
  readonly exemplar?: Exemplar | undefined;
}

/** OpenMetrics when the `accept` header names it and doesn't forbid it with `q=0`; else the older format. */
export function negotiateFormat(accept: string | undefined): ExpositionFormat {
  const offers = (accept ?? '').toLowerCase().split(',');
  const wanted = offers.some(
    (offer) =>
      offer.trim().startsWith('application/openmetrics-text') && !/;\s*q=0(\.0*)?\s*(;|$)/.test(offer),
  );
  return wanted ? 'openmetrics' : 'prometheus';
}

/** The samples of one instrument. */
export function samplesOf(name: string, instrument: Instrument): Sample[] {
  if (instrument instanceof Histogram) {
    const { names } = instrument.series();
    return [...instrument.series().all()].flatMap((series) =>
      histogramSamples(name, { names, series, bounds: instrument.bounds }),
    );
  }
  const series = instrument.series();
  return Array.from(series.all(), ({ values, state }) => ({
    name,
    labels: pairs(series.names, values),
    value: state.value,
  }));
}

function histogramSamples(
  name: string,
  parts: { names: readonly string[]; series: Series<HistogramState>; bounds: readonly number[] },
): Sample[] {
  const { values, state } = parts.series;
  const labels = pairs(parts.names, values);
  let count = 0;
  const buckets = state.counts.map((inBucket, at): Sample => {
    count += inBucket;
    const bound = String(parts.bounds[at] ?? '+Inf');
    return {
      name: `${name}_bucket`,
      labels: [...labels, ['le', bound]],
      value: count,
      exemplar: state.exemplars[at],
    };
  });
  return [
    ...buckets,
    { name: `${name}_sum`, labels, value: state.sum },
    { name: `${name}_count`, labels, value: count },
  ];
}

/** One metric family as text, with a line end at its end. */
export function familyText(
  metric: DeclaredMetric,
  samples: readonly Sample[],
  format: ExpositionFormat,
): string {
  const family =
    format === 'openmetrics' && metric.type === 'counter' ? metric.name.replace(/_total$/, '') : metric.name;
  // Both formats escape backslash and line end in the help; OpenMetrics the quote too.
  const help = metric.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  const told = format === 'openmetrics' ? help.replaceAll('"', '\\"') : help;
  const lines = samples.map((sample) => sampleLine(sample, format));
  return `# HELP ${family} ${told}\n# TYPE ${family} ${metric.type}\n${lines.join('')}`;
}

function sampleLine({ name, labels, value, exemplar }: Sample, format: ExpositionFormat): string {
  const told = labels.map(([label, text]) => {
    // OpenMetrics wants bounds as floats.
    const shown = label === 'le' && format === 'openmetrics' && /^\d+$/.test(text) ? `${text}.0` : text;
    return `${label}="${escapeValue(shown)}"`;
  });
  const set = told.length === 0 ? '' : `{${told.join(',')}}`;
  const line = `${name}${set} ${numberText(value)}`;
  if (exemplar === undefined || format === 'prometheus') return `${line}\n`;
  return `${line} # {trace_id="${exemplar.traceId}"} ${numberText(exemplar.value)} ${exemplar.at / 1000}\n`;
}

function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

function pairs(names: readonly string[], values: readonly string[]): [string, string][] {
  return names.map((name, at) => [name, values[at] ?? '']);
}
