import type { Session } from '../affinity/session.ts';
import type { RouteRequest, SkipReason } from '../decision.ts';
import type { Standing } from '../live/standing.ts';
import { findCapability, type Group, type Member } from '../snapshot/snapshot.ts';
import type { RoutingTable } from '../turns/picker-states.ts';
import type { ExplainedCandidate, RouteExplanation } from '../views.ts';
import { type Choice, chooseHolder } from './choice.ts';
import type { SelectContext } from './context.ts';
import { recordFirst } from './record.ts';
import { viewMember } from './view-routes.ts';

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
  const standing = context.states.look(capability);
  const nowMs = context.clock.monotonicMs();
  standing.refresh(nowMs);
  const holder = context.holders.peek(request.stateKey);
  const session = holder === undefined ? context.affinity?.peek(request, standing) : undefined;
  const choice = holder === undefined ? foresee(table, standing, session) : chooseHolder(holder, standing);
  const decision = choice && recordFirst({ standing, choice, session, revision });
  return {
    kind,
    name,
    outcome: decision === undefined ? undecided(standing, holder !== undefined) : 'decided',
    decision: decision ?? null,
    servingRevision: revision,
    candidates: capability.groups.flatMap((group) =>
      explainGroup(group, { standing, chosen: choice?.member, nowMs }),
    ),
  };
}

/** What `chooseFirst` would choose; undefined also when chance decides. */
function foresee(table: RoutingTable, standing: Standing, session: Session | undefined): Choice | undefined {
  const bound = session?.bound;
  if (bound !== undefined) return { member: bound, reason: 'affinity' };
  const { active, open, lastResort } = standing;
  if (active === undefined) return lastResort && { member: lastResort, reason: 'last_resort' };
  const preferred = session?.prefer(active, open);
  const member = active.members[preferred ?? table.nextOf(active, open)];
  return member && { member, reason: preferred === undefined ? 'policy' : 'preference' };
}

function undecided(standing: Standing, held: boolean): RouteExplanation['outcome'] {
  if (held) return 'state_unavailable';
  return standing.active === undefined ? 'no_viable_candidate' : 'drawn_at_random';
}

function explainGroup(
  group: Group,
  asked: { readonly standing: Standing; readonly chosen: Member | undefined; readonly nowMs: number },
): ExplainedCandidate[] {
  const { standing, chosen, nowMs } = asked;
  const { active } = standing;
  const waits: SkipReason | 'eligible' =
    active !== undefined && group.ordinal > active.ordinal ? 'lower_group' : 'eligible';
  return group.members.map((member) => ({
    ...viewMember(member, standing, nowMs),
    group: group.index,
    verdict: member === chosen ? 'chosen' : (standing.closed(member) ?? waits),
  }));
}
