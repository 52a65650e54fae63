import type { CapabilityHealth } from '../health/capability-health.ts';
import type { UnderWay } from './under-way.ts';

/** What is under way and known of a capability, by name. It outlives snapshots. */
export interface LiveCapability {
  readonly underWay: UnderWay;
  readonly health: CapabilityHealth;
}
