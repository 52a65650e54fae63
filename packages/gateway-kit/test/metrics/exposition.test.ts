import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { negotiateFormat } from '../../src/metrics/exposition.ts';
import { MetricRegistry } from '../../src/metrics/registry.ts';

function nasty(runtime: boolean): MetricRegistry {
  const metrics = new MetricRegistry({ app: 'a"b\\c\nd', version: '1.0.0', runtime });
  metrics.counter({ name: 'turns_total', help: 'Says "hi", \\ and\na new line.', unit: 'turns' }).inc({}, 2);
  metrics
    .histogram({ name: 'turn_seconds', help: 'T.', unit: 'seconds', buckets: [0.5, 1] })
    .observe({}, 0.75, 'a'.repeat(32));
  metrics.gauge({ name: 'top', help: 'G.', unit: 'things' }).set({}, Number.POSITIVE_INFINITY);
  return metrics;
}

describe('the text', () => {
  it('escapes values and helps', async () => {
    const { text } = await nasty(false).expose();
    expect(text).toContain('switchyard_build_info{app="a\\"b\\\\c\\nd",version="1.0.0"} 1\n');
    expect(text).toContain(
      '# HELP turns_total Says "hi", \\\\ and\\na new line.\n# TYPE turns_total counter\nturns_total 2\n',
    );
    expect(text).toContain('\ntop +Inf\n');
  });

  it('in OpenMetrics names a counter without _total, and says where it ends', async () => {
    const { text } = await nasty(false).expose('openmetrics');
    expect(text).toContain(
      '# HELP turns Says \\"hi\\", \\\\ and\\na new line.\n# TYPE turns counter\nturns_total 2\n',
    );
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(text.match(/# EOF/g)).toHaveLength(1);
  });

  it.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
    'satisfies promtool (skipped where promtool is not installed: Debian has it in "prometheus")',
    async () => {
      const { text } = await nasty(true).expose();
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
      expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: '' });
    },
  );
});

describe('negotiateFormat', () => {
  it.each([
    [undefined, 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain;version=0.0.4;q=0.5,*/*;q=0.1', 'prometheus'],
    ['application/openmetrics-text;version=1.0.0;q=0', 'prometheus'],
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
    ['text/plain, Application/OpenMetrics-Text; q=0.05', 'openmetrics'],
  ] as const)('%s -> %s', (accept, format) => {
    expect(negotiateFormat(accept)).toBe(format);
  });
});
