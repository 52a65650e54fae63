import type { CandidateKind, Overlay } from '@switchyard/overlay-contract';
import { runSteps, type Steps } from '../steps.ts';
import { type IndexPlan, planIndex } from './index-plan.ts';
import { memberKey } from './member-order.ts';
import { MemberSet } from './member-set.ts';
import type { RoutingCandidate, RoutingOverlay } from './routing-overlay.ts';
import { skippedCandidates } from './skipped.ts';
import type { Capability, Group, Member, Snapshot } from './snapshot.ts';
import { closedReason, type KnownClusters } from './viability.ts';

/** What a snapshot is built from. */
interface SnapshotParts {
  readonly overlay: RoutingOverlay;
  readonly plan: IndexPlan;
  readonly known: KnownClusters;
}

/** Indexes an accepted overlay for requests, all at once. */
export function buildSnapshot(overlay: Overlay, known: KnownClusters): Snapshot {
  return runSteps(snapshotSteps({ overlay, plan: planIndex(overlay), known }));
}

/** Indexes an accepted overlay for requests, in steps of one candidate. Linear in candidates. */
export function* snapshotSteps({ overlay, plan, known }: SnapshotParts): Steps<Snapshot> {
  const capabilities = new Map<CandidateKind, Map<string, Capability>>();
  const groups: Group[] = [];
  const missing = new Set<string>();
  let firstGroup = 0;
  for (const lastGroup of plan.capabilityEnds) {
    const members: Member[][] = [];
    for (let group = firstGroup; group < lastGroup; group++) {
      members.push(yield* memberSteps({ overlay, plan, known }, group, missing));
    }
    const capability = buildCapability(members, overlay.selectionPolicy, groups.length);
    groups.push(...capability.groups);
    const byName = capabilities.get(capability.kind) ?? new Map<string, Capability>();
    capabilities.set(capability.kind, byName.set(capability.name, capability));
    firstGroup = lastGroup;
  }
  return {
    revision: overlay.revision,
    capabilities,
    groups,
    candidateCount: overlay.candidates.length,
    unknownClusters: [...missing].sort(),
  };
}

/** The members of one group of the plan. Clusters that the gateway doesn't have are noted in `missing`. */
function* memberSteps(
  { overlay, plan, known }: SnapshotParts,
  group: number,
  missing: Set<string>,
): Steps<Member[]> {
  const members: Member[] = [];
  const end = plan.groupEnds[group] ?? 0;
  for (let at = group === 0 ? 0 : (plan.groupEnds[group - 1] ?? 0); at < end; at++) {
    const candidate = overlay.candidates.at(plan.rows[at] ?? 0);
    if (candidate === undefined) throw new RangeError('the plan names a candidate that the overlay lacks');
    members.push(buildMember(candidate, known));
    if (known !== undefined && !known.has(candidate.cluster)) missing.add(candidate.cluster);
    yield;
  }
  return members;
}

function buildCapability(
  rows: readonly (readonly Member[])[],
  overlayPolicy: Overlay['selectionPolicy'],
  firstOrdinal: number,
): Capability {
  const first = rows[0]?.[0];
  if (first === undefined) throw new RangeError('the plan has a capability without members');
  const { kind, name } = first.candidate;
  // Without groups nobody competes: the first in the overlay's order serves, as before there were policies.
  const policy = first.group === null ? 'deterministic' : overlayPolicy;
  const groups = rows.map((members, position): Group => {
    const open = new MemberSet(members.length, (slot) => members[slot]?.closed === undefined);
    return { ordinal: firstOrdinal + position, index: members[0]?.group ?? null, policy, members, open };
  });
  const active = groups.find((group) => group.open.size > 0);
  const byStableId = new Map<string, Member>();
  for (const members of rows) for (const member of members) byStableId.set(member.candidate.stableId, member);
  return {
    kind,
    name,
    policy,
    groups,
    byStableId,
    active,
    // Shared by every decision, so that listing them costs a request nothing.
    skipped: Object.freeze(skippedCandidates(groups, active, ({ closed }) => closed)),
  };
}

function buildMember(candidate: RoutingCandidate, known: KnownClusters): Member {
  const { kind, name, site, cluster, stableId } = candidate;
  return {
    candidate,
    selected: Object.freeze({ kind, name, site, cluster, stableId, rank: candidate.rank ?? null }),
    group: candidate.selectionGroup ?? null,
    key: memberKey(candidate),
    closed: closedReason(candidate, known),
  };
}
