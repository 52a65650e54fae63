import type { CandidateKind, Overlay } from '@switchyard/overlay-contract';
import { runSteps, type Steps } from '../steps.ts';
import { planIndex } from './index-plan.ts';
import { PlannedCapability, type SnapshotParts } from './planned-capability.ts';
import type { Snapshot } from './snapshot.ts';
import type { KnownClusters } from './viability.ts';

/** A capability of more members is built with its snapshot, in steps: the first request for it must not wait for that. */
const LATER_MEMBERS_MAX = 64;

/** Indexes an accepted overlay for requests, all at once. */
export function buildSnapshot(overlay: Overlay, known: KnownClusters): Snapshot {
  return runSteps(snapshotSteps({ overlay, plan: planIndex(overlay), known }));
}

/** Indexes an accepted overlay for requests, in steps. What few will ask for is left for the first who does. */
export function* snapshotSteps(parts: SnapshotParts): Steps<Snapshot> {
  const { overlay, plan, known } = parts;
  const capabilities = new Map<CandidateKind, Map<string, PlannedCapability>>();
  let first = 0;
  for (const end of plan.capabilityEnds) {
    const capability = new PlannedCapability(parts, { first, end });
    const byName = capabilities.get(capability.kind) ?? new Map<string, PlannedCapability>();
    capabilities.set(capability.kind, byName.set(capability.name, capability));
    if (capability.memberCount > LATER_MEMBERS_MAX) yield* capability.buildSteps();
    first = end;
    yield;
  }
  return {
    revision: overlay.revision,
    capabilities,
    candidateCount: overlay.candidates.length,
    unknownClusters: known === undefined ? [] : plan.clusters.filter((cluster) => !known.has(cluster)).sort(),
  };
}
