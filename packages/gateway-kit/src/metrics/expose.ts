import type { Registry } from 'prom-client';

/** The text of a scrape, and the metrics that could not be collected. */
export interface Exposition {
  readonly text: string;
  readonly failures: readonly { readonly metric: string; readonly error: unknown }[];
}

/**
 * All metrics in the Prometheus text format. A collector that throws costs its own metric only; the rest is still
 * served, and the failure is named in a comment.
 */
export async function exposeMetrics(registry: Registry): Promise<Exposition> {
  const failures: { metric: string; error: unknown }[] = [];
  const parts: string[] = [];
  for (const metric of registry.getMetricsAsArray()) {
    try {
      parts.push(await registry.getSingleMetricAsString(metric.name));
    } catch (error) {
      failures.push({ metric: metric.name, error });
      parts.push(`# ${metric.name} could not be collected`);
    }
  }
  return { text: `${parts.join('\n\n')}\n`, failures };
}
