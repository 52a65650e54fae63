import type { RouteRequest } from '../decision.ts';
import type { RoutingTable } from '../pickers/picker-states.ts';
import {
  allCapabilities,
  type Capability,
  findCapability,
  type Group,
  type Member,
} from '../snapshot/snapshot.ts';
import type { CapabilityView, ExplainedCandidate, MemberView, RouteExplanation } from '../views.ts';
import type { SelectContext } from './context.ts';
import { recordFirst } from './record.ts';

/** The decision `select` would take now. Spends no turn, touches no binding, draws nothing. */
export function explainRoute(request: RouteRequest, context: SelectContext): RouteExplanation {
  const table = context.current();
  const { kind, name } = request;
  const nothing = { kind, name, decision: null, candidates: [] };
  if (table === undefined) return { ...nothing, outcome: 'not_ready', servingRevision: null };
  const { revision } = table.snapshot;
  const capability = findCapability(table.snapshot, request);
  if (capability === undefined)
    return { ...nothing, outcome: 'unknown_capability', servingRevision: revision };
  const session = context.affinity?.peek(request, capability);
  const member = session?.bound ?? nextMember(capability, table);
  const decision = member && recordFirst({ capability, member, session, revision });
  const undecided = capability.active === undefined ? 'no_viable_candidate' : 'drawn_at_random';
  return {
    kind,
    name,
    outcome: decision === undefined ? undecided : 'decided',
    decision: decision ?? null,
    servingRevision: revision,
    candidates: capability.groups.flatMap((group) => explainGroup(group, capability, member)),
  };
}

/** Every capability as an operator sees it. */
export function viewRoutes(table: RoutingTable | undefined): readonly CapabilityView[] {
  if (table === undefined) return [];
  return allCapabilities(table.snapshot).map((capability) => ({
    kind: capability.kind,
    name: capability.name,
    policy: capability.policy,
    routable: capability.active !== undefined,
    groups: capability.groups.map((group) => ({
      group: group.index,
      active: group === capability.active,
      nextTurn: group.members[table.pickersOf(group).turns.peek(group.open)]?.selected.stableId ?? null,
      members: group.members.map(viewMember),
    })),
  }));
}

function nextMember(capability: Capability, table: RoutingTable): Member | undefined {
  const group = capability.active;
  return group?.members[table.pickersOf(group).turns.peek(group.open)];
}

function explainGroup(
  group: Group,
  { active }: Capability,
  chosen: Member | undefined,
): ExplainedCandidate[] {
  const waits = active !== undefined && group.ordinal > active.ordinal ? 'lower_group' : 'eligible';
  return group.members.map((member) => ({
    ...viewMember(member),
    group: group.index,
    verdict: member === chosen ? 'chosen' : (member.closed ?? waits),
  }));
}

function viewMember({ candidate, closed }: Member): MemberView {
  const { stableId, site, cluster, admissionState, fresh } = candidate;
  return {
    stableId,
    site,
    cluster,
    rank: candidate.rank ?? null,
    admissionState,
    selectionTier: candidate.selectionTier ?? null,
    trafficWeight: candidate.trafficWeight ?? null,
    fresh,
    viable: closed === undefined,
    reason: closed ?? null,
  };
}
