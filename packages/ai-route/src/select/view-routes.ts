import { CANDIDATE_KINDS } from '@switchyard/overlay-contract';
import type { Standing } from '../live/standing.ts';
import { type Capability, findCapability, type Member, type Snapshot } from '../snapshot/snapshot.ts';
import type { RoutingTable } from '../turns/picker-states.ts';
import type {
  CapabilityView,
  EjectedCandidate,
  MemberHealthView,
  MemberView,
  RouteFilter,
} from '../views.ts';
import type { SelectContext } from './context.ts';

/** Capabilities as an operator sees them, each looked at when it is its turn. They all are of the present snapshot. */
export function* viewRoutes(
  context: SelectContext,
  table: RoutingTable | undefined,
  wanted: RouteFilter,
): Generator<CapabilityView, void, void> {
  if (table === undefined) return;
  for (const capability of capabilitiesOf(table.snapshot, wanted)) {
    yield viewCapability(context, table, capability);
  }
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

function viewCapability(context: SelectContext, table: RoutingTable, capability: Capability): CapabilityView {
  const { kind, name, policy, groups } = capability;
  const nowMs = context.clock.monotonicMs();
  const standing = context.states.look(capability);
  standing.refresh(nowMs);
  const { active, lastResort } = standing;
  return {
    kind,
    name,
    policy,
    routable: active !== undefined || lastResort !== undefined,
    groups: groups.map((group) => ({
      group: group.index,
      active: group === active || (lastResort !== undefined && group.members.includes(lastResort)),
      nextTurn: group.members[table.nextOf(group, standing.openIn(group))]?.selected.stableId ?? null,
      members: group.members.map((member) => viewMember(member, standing, nowMs)),
    })),
  };
}

/** Who is ejected now. Looks only at capabilities in which somebody failed. */
export function viewEjected(context: SelectContext): readonly EjectedCandidate[] {
  const table = context.current();
  if (table === undefined) return [];
  const nowMs = context.clock.monotonicMs();
  return context.states.ailing().flatMap((name) => {
    const capability = findCapability(table.snapshot, name);
    if (capability === undefined) return [];
    const standing = context.states.of(capability);
    standing.refresh(nowMs);
    return capability.groups
      .flatMap(({ members }) => members)
      .flatMap((member): EjectedCandidate[] => {
        const health = healthView(member, standing, nowMs);
        if (health.state !== 'ejected' && health.state !== 'probing') return [];
        const { kind, site, cluster, stableId } = member.selected;
        return [{ kind, name: name.name, site, cluster, stableId, ...health }];
      });
  });
}

/** One member as an operator sees it. */
export function viewMember(member: Member, standing: Standing, nowMs: number): MemberView {
  const { candidate } = member;
  const { stableId, site, cluster, admissionState, fresh } = candidate;
  const closed = standing.closed(member);
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
    health: healthView(member, standing, nowMs),
  };
}

function healthView({ selected }: Member, { live }: Standing, nowMs: number): MemberHealthView {
  const health = live.health.get(selected.stableId);
  if (health === undefined) return WELL;
  const { failures, ejections, state, probe, untilMs } = health;
  if (state === 'in') return { ...WELL, failures };
  if (state === 'due') return { state: 'due', failures, ejections, returnsInMs: 0 };
  const returnsInMs = Math.max(0, Math.ceil(untilMs - nowMs));
  return { state: probe > 0 ? 'probing' : 'ejected', failures, ejections, returnsInMs };
}

const WELL: MemberHealthView = Object.freeze({ state: 'well', failures: 0, ejections: 0, returnsInMs: null });
