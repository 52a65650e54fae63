import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/**
 * Bucket bounds in seconds for LLM latencies: 5 ms doubling to 163.84 s. Wide enough for a first token from a cache and
 * for a long answer of a reasoning model.
 */
export const LATENCY_BUCKETS_SECONDS: readonly number[] = Array.from({ length: 16 }, (_, index) =>
  Number((0.005 * 2 ** index).toFixed(3)),
);

/** What a registry is made for. */
export interface RegistryOptions {
  /** The app's name, label of `switchyard_build_info`. */
  readonly app: string;
  /** The app's version, label of `switchyard_build_info`. */
  readonly version: string;
  /** Whether process and Node.js metrics are collected too. Default: true. */
  readonly runtime?: boolean;
}

/** A registry of its own (never prom-client's global one) with `switchyard_build_info` and the runtime's metrics. */
export function createRegistry(options: RegistryOptions): Registry {
  const registry = new Registry();
  if (options.runtime ?? true) collectDefaultMetrics({ register: registry });
  const info = new Gauge({
    name: 'switchyard_build_info',
    help: 'Always 1; the labels say which app in which version runs.',
    labelNames: ['app', 'version'],
    registers: [registry],
  });
  info.set({ app: options.app, version: options.version }, 1);
  return registry;
}
