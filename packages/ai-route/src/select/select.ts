// Hot path: see bench/select.bench.ts.
import type { Session } from '../affinity/session.ts';
import type { NotReady, RouteRefusal, RouteRequest, RouteResult } from '../decision.ts';
import type { Standing } from '../live/standing.ts';
import { findCapability } from '../snapshot/snapshot.ts';
import type { RoutingTable } from '../turns/picker-states.ts';
import { Attempt } from './attempt.ts';
import { type Choice, chooseHolder } from './choice.ts';
import type { RequestState, SelectContext } from './context.ts';
import { NOBODY, recordFirst } from './record.ts';

const NOT_READY: NotReady = Object.freeze({
  ok: false,
  reason: 'not_ready',
  skipped: NOBODY,
  servingRevision: null,
});

/**
 * Names the first candidate for a request: who holds its state, else its session's own, else one from the best group
 * that can serve.
 */
export function selectRoute(request: RouteRequest, context: SelectContext): RouteResult {
  const table = context.current();
  if (table === undefined) return NOT_READY;
  const capability = findCapability(table.snapshot, request);
  if (capability === undefined) return refuse('unknown_capability', table);
  const startedMs = context.clock.monotonicMs();
  const standing = context.states.of(capability);
  standing.refresh(startedMs);
  const holder = request.stateKey === undefined ? undefined : context.holders.use(request.stateKey);
  const held = holder !== undefined;
  const session = held ? undefined : context.affinity?.open(request, standing);
  const choice = held ? chooseHolder(holder, standing) : chooseFirst(table, standing, session);
  if (choice === undefined)
    return refuse(held ? 'state_unavailable' : 'no_viable_candidate', table, standing);
  const { member } = choice;
  if (session !== undefined && member !== session.bound) session.begin(member.selected.stableId);
  // Written out, since spreading objects into one another costs more than all the rest.
  const state: RequestState = {
    context,
    table,
    standing,
    session,
    tally: standing.live.underWay.arrive(startedMs),
    held,
    startedMs,
    tried: [member],
    retrying: false,
    ended: false,
  };
  const decision = recordFirst({ standing, session, choice, revision: table.snapshot.revision });
  return { ok: true, selection: new Attempt(state, member, decision) };
}

/** The choice itself, spending a turn where the policy decides. */
function chooseFirst(
  table: RoutingTable,
  standing: Standing,
  session: Session | undefined,
): Choice | undefined {
  const bound = session?.bound;
  if (bound !== undefined) return { member: bound, reason: 'affinity' };
  const { active, open, lastResort } = standing;
  if (active === undefined) return lastResort && { member: lastResort, reason: 'last_resort' };
  const preferred = session?.prefer(active, open);
  const member = active.members[preferred ?? table.pickersOf(active).turns.pick(open)];
  return member && { member, reason: preferred === undefined ? 'policy' : 'preference' };
}

function refuse<Reason extends string>(
  reason: Reason,
  table: RoutingTable,
  standing?: Standing,
): RouteRefusal<Reason> {
  return {
    ok: false,
    reason,
    skipped: standing?.skipped ?? NOBODY,
    servingRevision: table.snapshot.revision,
  };
}
