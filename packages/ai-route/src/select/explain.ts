import { CANDIDATE_KINDS } from '@switchyard/overlay-contract';
import type { RouteRequest } from '../decision.ts';
import type { RoutingTable } from '../pickers/picker-states.ts';
import {
  type Capability,
  findCapability,
  type Group,
  type Member,
  type Snapshot,
} from '../snapshot/snapshot.ts';
import type {
  CapabilityView,
  ExplainedCandidate,
  MemberView,
  RouteExplanation,
  RouteFilter,
} from '../views.ts';
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

/** Capabilities as an operator sees them, each looked at when it is its turn. They all are of `table`. */
export function* viewRoutes(
  table: RoutingTable | undefined,
  wanted: RouteFilter,
): Generator<CapabilityView, void, void> {
  if (table === undefined) return;
  for (const capability of capabilitiesOf(table.snapshot, wanted)) yield viewCapability(capability, table);
}

function* capabilitiesOf(
  { capabilities }: Snapshot,
  { kind, name }: RouteFilter,
): Generator<Capability, void, void> {
  const kinds = kind === undefined ? CANDIDATE_KINDS : [kind];
  if (name === undefined) {
    for (const capability of capabilities) if (kinds.includes(capability.kind)) yield capability;
    return;
  }
  for (const kind of kinds) {
    const capability = capabilities.find({ kind, name });
    if (capability !== undefined) yield capability;
  }
}

function viewCapability(capability: Capability, table: RoutingTable): CapabilityView {
  const { kind, name, policy, active, groups } = capability;
  return {
    kind,
    name,
    policy,
    routable: active !== undefined,
    groups: groups.map((group) => ({
      group: group.index,
      active: group === active,
      nextTurn: group.members[table.nextOf(group)]?.selected.stableId ?? null,
      members: group.members.map(viewMember),
    })),
  };
}

function nextMember(capability: Capability, table: RoutingTable): Member | undefined {
  const group = capability.active;
  return group?.members[table.nextOf(group)];
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
