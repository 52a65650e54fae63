import { describe, expect, it } from 'vitest';
import { LATENCY_BUCKETS_SECONDS } from '../../src/metrics/buckets.ts';
import { MetricRegistry } from '../../src/metrics/registry.ts';

const path = { help: 'Which way.', values: ['left', 'right'] } as const;
const model = { help: 'The model.', bound: 'configured models' } as const;

function registry(): MetricRegistry {
  return new MetricRegistry({ app: 'a', version: '1.0.0', runtime: false, now: () => 1_700_000_000_500 });
}

/** The lines of one metric, without comments. */
async function lines(metrics: MetricRegistry, name: string): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('MetricRegistry', () => {
  it('names the app and its version, beside the runtime metrics', async () => {
    const metrics = new MetricRegistry({ app: 'a', version: '1.0.0' });
    const { text, failures } = await metrics.expose();
    expect(failures).toEqual([]);
    expect(text).toContain('switchyard_build_info{app="a",version="1.0.0"} 1');
    expect(text).toMatch(/\nprocess_cpu_seconds_total \d/);
    expect(text).not.toContain('nodejs_active_handles_total');
  });

  it('begins every combination of closed labels at zero, also of histograms', async () => {
    const metrics = registry();
    metrics.counter({ name: 'turns_total', help: 'Turns.', unit: 'turns', labels: { path, side: path } });
    metrics.histogram({
      name: 'turn_seconds',
      help: 'Turn.',
      unit: 'seconds',
      labels: { path },
      buckets: [1],
    });
    expect(await lines(metrics, 'turns_total')).toHaveLength(4);
    expect(await lines(metrics, 'turn_seconds')).toEqual([
      'turn_seconds_bucket{path="left",le="1"} 0',
      'turn_seconds_bucket{path="left",le="+Inf"} 0',
      'turn_seconds_sum{path="left"} 0',
      'turn_seconds_count{path="left"} 0',
      'turn_seconds_bucket{path="right",le="1"} 0',
      'turn_seconds_bucket{path="right",le="+Inf"} 0',
      'turn_seconds_sum{path="right"} 0',
      'turn_seconds_count{path="right"} 0',
    ]);
  });

  it('begins no combination with an open label before it is named', async () => {
    const metrics = registry();
    const turns = metrics.counter({ name: 'turns_total', help: 'T', unit: 'turns', labels: { path, model } });
    expect(await lines(metrics, 'turns_total')).toEqual([]);
    turns.zero({ path: 'left', model: 'm' });
    turns.inc({ path: 'left', model: 'm' }, 0.5);
    turns.inc({ path: 'left', model: 'm' });
    expect(await lines(metrics, 'turns_total')).toEqual(['turns_total{path="left",model="m"} 1.5']);
  });

  it('folds a value that a closed label does not have, and counts that', async () => {
    const metrics = registry();
    const turns = metrics.counter({ name: 'turns_total', help: 'T', unit: 'turns', labels: { path } });
    expect(await lines(metrics, 'switchyard_metrics_folded_total{metric="turns_total"}')).toEqual([
      'switchyard_metrics_folded_total{metric="turns_total"} 0',
    ]);
    turns.inc({ path: 'up' });
    turns.inc({ path: 'down' });
    expect(await lines(metrics, 'turns_total')).toContain('turns_total{path="other"} 2');
    expect(await lines(metrics, 'switchyard_metrics_folded_total{metric="turns_total"}')).toEqual([
      'switchyard_metrics_folded_total{metric="turns_total"} 2',
    ]);
  });

  it('never has more series than declared, whatever is observed; what came first keeps its own', async () => {
    const metrics = registry();
    const turns = metrics.counter({
      name: 'turns_total',
      help: 'T',
      unit: 'turns',
      labels: { path, model },
      maxSeries: 10,
    });
    for (let n = 0; n < 1000; n += 1) turns.inc({ path: 'left', model: `m-${n % 500}` });
    const found = await lines(metrics, 'turns_total');
    expect(found).toHaveLength(11);
    expect(found[0]).toBe('turns_total{path="left",model="m-0"} 2');
    expect(found).toContain('turns_total{path="other",model="other"} 980');
  });

  it('keeps label values apart that look alike when joined', async () => {
    const metrics = registry();
    const gauge = metrics.gauge({ name: 'g', help: 'G', unit: 'things', labels: { a: model, b: model } });
    gauge.set({ a: 'x,y', b: 'z' }, 1);
    gauge.set({ a: 'x', b: 'y,z' }, 2);
    gauge.inc({ a: 'x', b: 'y,z' });
    gauge.dec({ a: 'x,y', b: 'z' });
    expect(await lines(metrics, 'g{')).toEqual(['g{a="x,y",b="z"} 0', 'g{a="x",b="y,z"} 3']);
  });

  it('reads a gauge at the scrape; null shows no sample', async () => {
    const metrics = registry();
    let age: number | null = 3;
    metrics.gauge({ name: 'age_seconds', help: 'Age.', unit: 'seconds' }).read(() => age);
    expect(await lines(metrics, 'age_seconds')).toEqual(['age_seconds 3']);
    age = null;
    expect(await lines(metrics, 'age_seconds')).toEqual([]);
  });

  it.each([
    ['a counter without _total', 'counter', { name: 'turns', unit: 'turns' }],
    ['a gauge with _total', 'gauge', { name: 'turns_total', unit: 'turns' }],
    ['a name in camel case', 'gauge', { name: 'turnsLeft', unit: 'turns' }],
    ['a unit that the name hides', 'gauge', { name: 'age', unit: 'seconds' }],
    ['a reserved label', 'gauge', { name: 'age_seconds', unit: 'seconds', labels: { le: model } }],
    ['a name that is taken', 'gauge', { name: 'switchyard_build_info', unit: 'always 1' }],
  ] as const)('refuses %s', (_what, type, definition) => {
    const metrics = registry();
    expect(() => metrics[type]({ help: 'H', ...definition })).toThrow(definition.name);
  });

  it('refuses more zeroes than anybody would read', () => {
    const wide = { help: 'W', values: Array.from({ length: 40 }, (_, n) => `v${n}`) };
    const declare = (): unknown =>
      registry().counter({ name: 'w_total', help: 'W', unit: 'w', labels: { a: wide, b: wide } });
    expect(declare).toThrow('1600 series');
  });

  it('lists what it exposes', () => {
    const metrics = registry();
    metrics.counter({ name: 'turns_total', help: 'T', unit: 'turns' });
    expect(metrics.definitions().map(({ name, type }) => `${type} ${name}`)).toEqual([
      'gauge switchyard_build_info',
      'counter switchyard_metrics_folded_total',
      'counter turns_total',
    ]);
  });
});

describe('exemplars', () => {
  it('stand in OpenMetrics only, the newest per bucket, and only for values that had a trace', async () => {
    const metrics = registry();
    const turn = metrics.histogram({ name: 'turn_seconds', help: 'T', unit: 'seconds', buckets: [1, 2] });
    turn.observe({}, 0.5, 'a'.repeat(32));
    turn.observe({}, 0.25, 'b'.repeat(32));
    turn.observe({}, 1.5);
    const { text } = await metrics.expose('openmetrics');
    expect(text.split('\n').filter((line) => line.startsWith('turn_seconds'))).toEqual([
      `turn_seconds_bucket{le="1.0"} 2 # {trace_id="${'b'.repeat(32)}"} 0.25 1700000000.5`,
      'turn_seconds_bucket{le="2.0"} 3',
      'turn_seconds_bucket{le="+Inf"} 3',
      'turn_seconds_sum 2.25',
      'turn_seconds_count 3',
    ]);
    expect((await metrics.expose()).text).not.toContain('trace_id');
  });
});

describe('LATENCY_BUCKETS_SECONDS', () => {
  it('doubles from 5 ms to 163.84 s', () => {
    expect(LATENCY_BUCKETS_SECONDS).toHaveLength(16);
    expect(LATENCY_BUCKETS_SECONDS[0]).toBe(0.005);
    expect(LATENCY_BUCKETS_SECONDS.at(-1)).toBe(163.84);
    for (const [index, bound] of LATENCY_BUCKETS_SECONDS.entries()) {
      if (index > 0) expect(bound / (LATENCY_BUCKETS_SECONDS[index - 1] ?? 0)).toBeCloseTo(2, 9);
    }
  });
});
