import type { Draw } from '../random.ts';

/** Local viability with every default filled in. */
export interface ViabilityPolicy {
  readonly enabled: boolean;
  /** Failures in a row that eject; 0 = failures don't. */
  readonly consecutiveFailures: number;
  readonly ejectionMs: number;
  readonly maxEjectionMs: number;
  /** Longest `Retry-After` that is obeyed; 0 = none is. */
  readonly retryAfterMaxMs: number;
  /** The part of an ejection that is drawn, 0 to 1. */
  readonly jitter: number;
}

/** How finely jitter is drawn. */
const JITTER_STEPS = 1024;

/** Beyond this a doubled time exceeds any cap. */
const DOUBLINGS_MAX = 40;

/**
 * How long the ejection lasts that follows `ejections` others in a row: doubled each time up to the cap, less a drawn
 * part. Jitter is taken off, never added: ejections at the cap would otherwise all last the same, and a fleet of
 * gateways would come back in step.
 */
export function ejectionLength(ejections: number, policy: ViabilityPolicy, draw: Draw): number {
  const { ejectionMs, maxEjectionMs, jitter } = policy;
  const full = Math.min(maxEjectionMs, ejectionMs * 2 ** Math.min(ejections, DOUBLINGS_MAX));
  return jitter === 0 ? full : full * (1 - (jitter * draw(JITTER_STEPS)) / JITTER_STEPS);
}
