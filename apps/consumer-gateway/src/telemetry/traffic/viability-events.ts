import type { ViabilityEvent } from '@switchyard/ai-route';
import type { Logger } from 'pino';
import type { TrafficMetrics } from './traffic-metrics.ts';

/** Logs and counts that a candidate was ejected, or serves again. */
export function observeViability(
  event: ViabilityEvent,
  { log, traffic }: { readonly log: Logger; readonly traffic: TrafficMetrics },
): void {
  const { site, cluster: provider, stableId, name } = event.candidate;
  if (event.type === 'recovered') {
    traffic.recovered(provider);
    log.info({ event: 'candidate_recovered', provider, site, stableId, name }, 'a candidate serves again');
    return;
  }
  traffic.ejected(event);
  const { result, forMs, asked } = event;
  const why = asked ? 'as it asked by Retry-After' : 'since it keeps failing';
  log.warn(
    { event: 'candidate_ejected', provider, site, stableId, name, result, forMs },
    `a candidate gets no requests for a while, ${why}`,
  );
}
