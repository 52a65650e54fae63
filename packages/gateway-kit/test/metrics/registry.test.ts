import { register } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createRegistry, LATENCY_BUCKETS_SECONDS } from '../../src/index.ts';

describe('createRegistry', () => {
  it('names the app and its version, beside the runtime metrics', async () => {
    const text = await createRegistry({ app: 'a', version: '1.0.0' }).metrics();
    expect(text).toContain('switchyard_build_info{app="a",version="1.0.0"} 1');
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('can do without the runtime metrics, and never touches the global registry', async () => {
    const registry = createRegistry({ app: 'a', version: '1', runtime: false });
    expect((await registry.getMetricsAsJSON()).map((metric) => metric.name)).toEqual([
      'switchyard_build_info',
    ]);
    expect(register.getMetricsAsArray()).toEqual([]);
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
