// Hot path: see bench/select.bench.ts.
import type { NotReady, RouteRequest, RouteResult } from '../decision.ts';
import type { RoutingTable } from '../pickers/picker-states.ts';
import { type Capability, findCapability, type Member } from '../snapshot/snapshot.ts';
import { Attempt } from './attempt.ts';
import type { SelectContext } from './context.ts';
import { NOBODY, recordFirst } from './record.ts';

const NOT_READY: NotReady = Object.freeze({
  ok: false,
  reason: 'not_ready',
  skipped: NOBODY,
  servingRevision: null,
});

/** Names the first candidate for a request: the session's own, else one from the best group that can serve. */
export function selectRoute(request: RouteRequest, context: SelectContext): RouteResult {
  const table = context.current();
  if (table === undefined) return NOT_READY;
  const { revision } = table.snapshot;
  const capability = findCapability(table.snapshot, request);
  if (capability === undefined) {
    return { ok: false, reason: 'unknown_capability', skipped: NOBODY, servingRevision: revision };
  }
  const session = context.affinity?.open(request, capability);
  const member = session?.bound ?? takeTurn(capability, table);
  if (member === undefined) {
    return {
      ok: false,
      reason: 'no_viable_candidate',
      skipped: capability.skipped,
      servingRevision: revision,
    };
  }
  if (session !== undefined && session.bound === undefined) session.bindTentatively(member.selected.stableId);
  const decision = recordFirst({ capability, member, session, revision });
  const state = { context, table, capability, session, tried: [member], settled: false };
  return { ok: true, selection: new Attempt(state, decision) };
}

function takeTurn({ active }: Capability, table: RoutingTable): Member | undefined {
  if (active === undefined) return undefined;
  const position = table.pickersOf(active).turns.pick(active.open);
  return active.members[position];
}
