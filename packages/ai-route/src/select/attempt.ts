import type { RetryResult, RouteDecision, Selection, SkipReason } from '../decision.ts';
import type { RoutingTable } from '../pickers/picker-states.ts';
import { MemberSet } from '../snapshot/member-set.ts';
import { skippedCandidates } from '../snapshot/skipped.ts';
import { type Capability, findCapability, type Group, type Member } from '../snapshot/snapshot.ts';
import type { RequestState } from './context.ts';
import { recordRetry } from './record.ts';

/** One attempt of a request, and the way to the next. */
export class Attempt implements Selection {
  readonly decision: RouteDecision;
  readonly #request: RequestState;

  constructor(request: RequestState, decision: RouteDecision) {
    this.#request = request;
    this.decision = decision;
  }

  next(): RetryResult {
    const { context, table, capability, session, tried, settled } = this.#request;
    const present = context.current() ?? table;
    const servingRevision = table.snapshot.revision;
    const closed: ClosedToRetry = (member) => closedToRetry(member, this.#request, present);
    if (settled || tried.length >= context.attemptsMax) {
      const skipped = skippedCandidates(capability.groups, undefined, closed);
      return { ok: false, reason: 'attempts_exhausted', skipped, servingRevision };
    }
    const found = takeRetryTurn(capability, table, closed);
    const skipped = skippedCandidates(capability.groups, found?.group, closed);
    if (found === undefined) return { ok: false, reason: 'no_viable_candidate', skipped, servingRevision };
    const { member } = found;
    tried.push(member);
    session?.moveOn(member.selected.stableId);
    const acceptedRevision = present.snapshot.revision;
    const choice = { capability, tried, member, session, acceptedRevision, servingRevision, skipped };
    return { ok: true, selection: new Attempt(this.#request, recordRetry(choice)) };
  }

  confirm(): void {
    if (this.#settle()) this.#request.session?.confirm(this.decision.candidate.stableId);
  }

  fail(): void {
    if (this.#settle()) this.#request.session?.drop(this.decision.candidate.stableId);
  }

  #settle(): boolean {
    const first = !this.#request.settled;
    this.#request.settled = true;
    return first;
  }
}

type ClosedToRetry = (member: Member) => SkipReason | undefined;

/** Why this request can't go to `member` now. The present snapshot may forbid what the request's own one permitted. */
function closedToRetry(member: Member, request: RequestState, present: RoutingTable): SkipReason | undefined {
  if (request.tried.includes(member)) return 'already_tried';
  if (member.closed !== undefined || present === request.table) return member.closed;
  const now = findCapability(present.snapshot, request.capability)?.byStableId.get(member.selected.stableId);
  return now === undefined ? 'excluded' : now.closed;
}

/** The best group with anybody left decides, by a rotation of its own. */
function takeRetryTurn(
  capability: Capability,
  table: RoutingTable,
  closed: ClosedToRetry,
): { readonly group: Group; readonly member: Member } | undefined {
  for (const group of capability.groups) {
    const { members } = group;
    const open = new MemberSet(members.length, (position) => {
      const member = members[position];
      return member !== undefined && closed(member) === undefined;
    });
    const member = members[table.pickersOf(group).retries.pick(open)];
    if (member !== undefined) return { group, member };
  }
  return undefined;
}
