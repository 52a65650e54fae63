import type { ProviderPhase } from '@switchyard/grid-core';
import type { ProbeResult } from './probe.ts';

/** What is remembered of one provider between probes. */
export interface ProbeMemory {
  readonly phase: ProviderPhase;
  /** Probes in a row that were not healthy. */
  readonly failures: number;
  readonly detail: string;
}

/** A provider that was never probed. */
export const NEVER_PROBED: ProbeMemory = { phase: 'unknown', failures: 0, detail: 'not probed yet' };

/**
 * The next memory after a probe. A healthy answer brings a provider back at once. A bad one takes effect after
 * `failureThreshold` in a row, so that one lost packet moves no traffic; on first sight it takes effect at once,
 * since there is no good past to hold on to.
 */
export function afterProbe(before: ProbeMemory, result: ProbeResult, failureThreshold: number): ProbeMemory {
  if (result.outcome === 'unasked') return { phase: 'unknown', failures: 0, detail: result.detail };
  if (result.outcome === 'healthy') return { phase: 'available', failures: 0, detail: result.detail };
  const failures = before.failures + 1;
  const decided = before.phase === 'unknown' || failures >= failureThreshold;
  const phase = result.outcome === 'unhealthy' ? 'degraded' : 'unavailable';
  return { phase: decided ? phase : before.phase, failures, detail: result.detail };
}
