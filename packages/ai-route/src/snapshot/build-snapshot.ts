import type { Overlay } from '@switchyard/overlay-contract';
import { runSteps, type Steps } from '../basics/steps.ts';
import { CapabilityIndex } from './capability-index.ts';
import { planIndex } from './index-plan.ts';
import { memberCount, PlannedCapability, type SnapshotParts } from './planned-capability.ts';
import type { Snapshot } from './snapshot.ts';
import type { KnownClusters } from './viability.ts';

/** A capability of more members is built with its snapshot, in steps: the first request for it must not wait for that. */
const LATER_MEMBERS_MAX = 64;

/** Indexes an accepted overlay for requests, all at once. */
export function buildSnapshot(overlay: Overlay, known: KnownClusters): Snapshot {
  return runSteps(snapshotSteps({ overlay, plan: planIndex(overlay), known }));
}

/**
 * Indexes an accepted overlay for requests, in steps. What few will ask for is left for the first who does, so that a
 * reload of thousands of capabilities leaves next to no garbage: collecting it would stop the requests.
 */
export function* snapshotSteps(parts: SnapshotParts): Steps<Snapshot> {
  const { overlay, plan } = parts;
  const capabilities = new CapabilityIndex(parts);
  const builtAhead: PlannedCapability[] = [];
  for (let number = 0; number < capabilities.length; number++) {
    if (memberCount(plan, number) <= LATER_MEMBERS_MAX) continue;
    const capability = new PlannedCapability(parts, number);
    yield* capability.buildSteps();
    capabilities.keep(capability);
    builtAhead.push(capability);
  }
  return {
    revision: overlay.revision,
    capabilities,
    builtAhead,
    candidateCount: overlay.candidates.length,
    unknownClusters: yield* unknownClusters(parts),
  };
}

function* unknownClusters({ overlay, plan, known }: SnapshotParts): Steps<string[]> {
  if (known === undefined) return [];
  const unknown: string[] = [];
  for (const row of plan.clusterRows) {
    const cluster = overlay.candidates.at(row)?.cluster;
    if (cluster !== undefined && !known.has(cluster)) unknown.push(cluster);
    yield;
  }
  return unknown.sort();
}
