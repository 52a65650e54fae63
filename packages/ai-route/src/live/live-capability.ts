import type { CapabilityHealth } from '../health/capability-health.ts';

/** What is under way and known of a capability, by name. It outlives snapshots. */
export interface LiveCapability {
  /** Requests that have not ended. */
  inFlight: number;
  /** Those of them that are past their first attempt. */
  retrying: number;
  readonly health: CapabilityHealth;
}
