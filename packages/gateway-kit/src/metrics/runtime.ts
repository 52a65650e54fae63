import { collectDefaultMetrics, Registry } from 'prom-client';
import type { DeclaredMetric, LabelDefinition } from './definition.ts';
import type { Sample } from './exposition.ts';

const space: LabelDefinition = { help: "V8's heap space.", bound: 'about ten, fixed by V8' };
const resource: LabelDefinition = { help: 'Type of resource.', bound: 'about twenty, fixed by Node.js' };

/**
 * Process and Node.js metrics that every app exposes. prom-client measures them; those of its metrics that are missing
 * here are not exposed: some break Prometheus' naming rules (`_total` on a gauge), some say the same twice.
 */
export const RUNTIME_METRICS: readonly DeclaredMetric[] = [
  seconds('process_cpu_user_seconds_total', 'counter', 'CPU time spent in user code.'),
  seconds('process_cpu_system_seconds_total', 'counter', 'CPU time spent in the kernel.'),
  seconds('process_cpu_seconds_total', 'counter', 'CPU time spent, user and kernel.'),
  seconds('process_start_time_seconds', 'gauge', 'When the process started, since the epoch.'),
  bytes('process_resident_memory_bytes', 'Resident memory.'),
  bytes('process_virtual_memory_bytes', 'Virtual memory. Linux only.'),
  bytes('process_heap_bytes', 'Data segment of the process. Linux only.'),
  count('process_open_fds', 'file descriptors', 'Open file descriptors. Linux only.'),
  count('process_max_fds', 'file descriptors', 'How many file descriptors the process may open. Linux only.'),
  seconds('nodejs_eventloop_lag_seconds', 'gauge', 'Delay of the event loop in the moment of the scrape.'),
  seconds(
    'nodejs_eventloop_lag_min_seconds',
    'gauge',
    'Smallest delay of the event loop since the last scrape.',
  ),
  seconds(
    'nodejs_eventloop_lag_max_seconds',
    'gauge',
    'Largest delay of the event loop since the last scrape.',
  ),
  seconds(
    'nodejs_eventloop_lag_mean_seconds',
    'gauge',
    'Mean delay of the event loop since the last scrape.',
  ),
  seconds(
    'nodejs_eventloop_lag_stddev_seconds',
    'gauge',
    'Standard deviation of the delay since the last scrape.',
  ),
  seconds(
    'nodejs_eventloop_lag_p50_seconds',
    'gauge',
    'Median delay of the event loop since the last scrape.',
  ),
  seconds('nodejs_eventloop_lag_p90_seconds', 'gauge', '90th percentile of the delay since the last scrape.'),
  seconds('nodejs_eventloop_lag_p99_seconds', 'gauge', '99th percentile of the delay since the last scrape.'),
  {
    ...count('nodejs_active_resources', 'resources', 'What keeps the event loop alive.'),
    labels: { type: resource },
  },
  bytes('nodejs_heap_size_total_bytes', "V8's heap, reserved."),
  bytes('nodejs_heap_size_used_bytes', "V8's heap, used."),
  bytes('nodejs_external_memory_bytes', 'Memory of buffers and other objects outside the heap.'),
  { ...bytes('nodejs_heap_space_size_total_bytes', 'Heap space, reserved.'), labels: { space } },
  { ...bytes('nodejs_heap_space_size_used_bytes', 'Heap space, used.'), labels: { space } },
  { ...bytes('nodejs_heap_space_size_available_bytes', 'Heap space, free.'), labels: { space } },
  {
    ...count('nodejs_version_info', 'always 1', 'The labels say which Node.js runs.'),
    labels: {
      version: { help: 'Whole version.', bound: 'one' },
      major: { help: 'First number.', bound: 'one' },
      minor: { help: 'Second number.', bound: 'one' },
      patch: { help: 'Third number.', bound: 'one' },
    },
  },
  {
    ...seconds('nodejs_gc_duration_seconds', 'histogram', 'Pauses of the garbage collector.'),
    labels: { kind: { help: 'Kind of collection.', values: ['major', 'minor', 'incremental', 'weakcb'] } },
    zeroed: false,
    buckets: [0.001, 0.01, 0.1, 1, 2, 5],
  },
];

function seconds(name: string, type: DeclaredMetric['type'], help: string): DeclaredMetric {
  return { name, type, unit: 'seconds', help };
}

function bytes(name: string, help: string): DeclaredMetric {
  return { name, type: 'gauge', unit: 'bytes', help };
}

function count(name: string, unit: string, help: string): DeclaredMetric {
  return { name, type: 'gauge', unit, help };
}

/** Starts to measure. Returns what reads one of the metrics at a scrape. */
export function measureRuntime(): (name: string) => Promise<readonly Sample[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, gcDurationBuckets: [0.001, 0.01, 0.1, 1, 2, 5] });
  return async (name) => {
    // Some exist on Linux only.
    const metric = registry.getSingleMetric(name);
    if (metric === undefined) return [];
    const { values } = await metric.get();
    return values.map((value) => ({
      name: 'metricName' in value && typeof value.metricName === 'string' ? value.metricName : name,
      labels: Object.entries(value.labels).map(([label, text]) => [label, String(text)]),
      value: value.value,
    }));
  };
}
