/** One series of a scrape. */
export interface ScrapedSeries {
  /** As the line has it: a histogram's ends in `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A scrape, read strictly: a line that is neither comment nor sample is an error. */
export interface Scrape {
  readonly text: string;
  /** Type by metric family. */
  readonly types: ReadonlyMap<string, string>;
  readonly series: readonly ScrapedSeries[];
}

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/** Scrapes an app's admin port, in Prometheus' text format. */
export async function scrape(adminPort: number): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${text.slice(0, 200)}`);
  const types = new Map<string, string>();
  const series: ScrapedSeries[] = [];
  for (const line of text.split('\n')) {
    const [, family, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (family !== undefined && type !== undefined) types.set(family, type);
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`);
    series.push({ name, labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) });
  }
  return { text, types, series };
}

/** The family a series belongs to. */
export function familyOf({ types }: Scrape, { name }: ScrapedSeries): string {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return types.get(base) === 'histogram' ? base : name;
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let read = 0;
  for (const [whole, name = '', value = ''] of text.matchAll(LABEL)) {
    labels[name] = value;
    read += whole.length;
  }
  if (read !== text.length) throw new Error(`no labels: ${text}`);
  return labels;
}
