import type { StateNamer } from '../affinity/state-holders.ts';
import type {
  RetryRefusalReason,
  RetryResult,
  RouteDecision,
  Selection,
  SkippedCandidate,
  SkipReason,
} from '../decision.ts';
import type { HealthTicket } from '../health/capability-health.ts';
import type { Standing } from '../live/standing.ts';
import type { AttemptOutcome } from '../outcome/attempt-outcome.ts';
import { confirmsBinding, healthOf, OUTCOME_TABLE } from '../outcome/outcome-table.ts';
import { withinBudget } from '../retry/retry-policy.ts';
import type { RetryRefusals } from '../retry/retry-refusals.ts';
import { MemberSet } from '../snapshot/member-set.ts';
import { skippedCandidates } from '../snapshot/skipped.ts';
import { findCapability, type Group, type Member } from '../snapshot/snapshot.ts';
import type { Choice } from './choice.ts';
import type { RequestState } from './context.ts';
import { NOBODY, recordRetry } from './record.ts';

/** One attempt of a request, and the way to the next. */
export class Attempt implements Selection {
  readonly decision: RouteDecision;
  readonly #request: RequestState;
  readonly #member: Member;
  #ticket: HealthTicket;
  #begun = false;
  /** Whether what became of it has been told to the candidate's health. */
  #told = false;
  #next: RetryResult | undefined;

  constructor(request: RequestState, member: Member, decision: RouteDecision) {
    this.#request = request;
    this.#member = member;
    this.decision = decision;
    const { standing, context } = request;
    this.#ticket = standing.live.health.begin(member.selected.stableId, context.clock);
  }

  next(outcome: AttemptOutcome): RetryResult {
    // Nothing has been asked yet: a response whose head looks final may still stall before its first byte.
    if (!OUTCOME_TABLE[outcome.result].movesOn) return this.#next ?? this.#refuse('not_retryable', NOBODY);
    this.#next ??= this.#findNext(outcome);
    return this.#next;
  }

  begin(): void {
    this.#begun = true;
    if (!this.#succeed('begun')) return;
    // What becomes of it later is said of a candidate that is back.
    const { context, standing } = this.#request;
    this.#ticket = standing.live.health.begin(this.#member.selected.stableId, context.clock);
  }

  end(outcome: AttemptOutcome): void {
    this.#tell(outcome);
    const request = this.#request;
    // The request goes on with the attempt that followed, and ends with that.
    if (request.ended || this.#next?.ok === true) return;
    request.ended = true;
    const { session, tally } = request;
    tally.inFlight--;
    if (request.retrying) tally.retrying--;
    const { stableId } = this.#member.selected;
    if (confirmsBinding(outcome)) session?.confirm(stableId);
    else session?.drop();
  }

  learn(stateKey: string, namedBy: StateNamer = 'provider'): void {
    this.#request.context.holders.learn(stateKey, this.#member.selected, namedBy);
  }

  sessionToken(): string | undefined {
    return this.#request.session?.token(this.#member.selected.stableId);
  }

  #findNext(outcome: AttemptOutcome): RetryResult {
    const request = this.#request;
    this.#tell(outcome);
    const present = presentStanding(request);
    const closed: ClosedToRetry = (member) => closedToRetry(member, request, present);
    const forbidden = retryForbidden(outcome, request);
    const found = forbidden === undefined && !request.held ? takeRetryTurn(request, closed) : undefined;
    const skipped = skippedCandidates(request.standing.capability.groups, found?.group, closed);
    if (found === undefined) {
      const reason = forbidden ?? 'no_viable_candidate';
      request.context.refusals[reason]++;
      return this.#refuse(reason, skipped);
    }
    const { member } = found.choice;
    const servingRevision = request.table.snapshot.revision;
    moveOn(request, member, OUTCOME_TABLE[outcome.result].rebinds);
    const decision = recordRetry({
      capability: request.standing.capability,
      tried: request.tried,
      choice: found.choice,
      session: request.session,
      acceptedRevision: request.context.current()?.snapshot.revision ?? servingRevision,
      servingRevision,
      skipped,
    });
    return { ok: true, selection: new Attempt(request, member, decision) };
  }

  #refuse(reason: RetryRefusalReason, skipped: readonly SkippedCandidate[]): RetryResult {
    return { ok: false, reason, skipped, servingRevision: this.#request.table.snapshot.revision };
  }

  /** Tells once what the attempt says of its candidate. */
  #tell(outcome: AttemptOutcome): void {
    if (this.#told) return;
    this.#told = true;
    const verdict = healthOf(outcome);
    if (verdict === 'ok' || verdict === 'begun') this.#succeed(verdict);
    else if (verdict === 'failed') this.#fail(outcome);
    else this.#request.standing.live.health.release(this.#member.selected.stableId, this.#ticket);
  }

  #succeed(how: 'ok' | 'begun'): boolean {
    const { context, standing } = this.#request;
    const { selected } = this.#member;
    const { health } = standing.live;
    const recovered =
      how === 'ok'
        ? health.succeed(selected.stableId, this.#ticket)
        : health.serve(selected.stableId, this.#ticket);
    if (recovered) context.onViability({ type: 'recovered', candidate: selected });
    return recovered;
  }

  #fail({ result, retryAfterMs }: AttemptOutcome): void {
    const { context, standing } = this.#request;
    const { selected } = this.#member;
    const askedMs = OUTCOME_TABLE[result].retryAfter ? retryAfterMs : undefined;
    const ejection = standing.live.health.fail(selected.stableId, this.#ticket, {
      nowMs: context.clock.monotonicMs(),
      retryAfterMs: askedMs,
      dispensable: (presentStanding(this.#request) ?? standing).dispensable(selected.stableId),
      begun: this.#begun,
    });
    if (ejection === undefined) return;
    context.onViability({ type: 'ejected', candidate: selected, result, ...ejection });
  }
}

type ClosedToRetry = (member: Member) => SkipReason | undefined;

/** How the capability stands in the present snapshot; undefined when that doesn't have it. */
function presentStanding({ context, table, standing }: RequestState): Standing | undefined {
  const present = context.current() ?? table;
  const capability =
    present === table ? standing.capability : findCapability(present.snapshot, standing.capability);
  if (capability === undefined) return undefined;
  const now = context.states.of(capability);
  now.refresh(context.clock.monotonicMs());
  return now;
}

function moveOn(request: RequestState, member: Member, rebinds: boolean): void {
  request.tried.push(member);
  request.session?.moveOn(member.selected.stableId, rebinds);
  if (request.retrying) return;
  request.retrying = true;
  request.tally.retrying++;
}

/** Why this request may not go on, whoever is left. */
function retryForbidden(outcome: AttemptOutcome, request: RequestState): keyof RetryRefusals | undefined {
  const { context, standing, tried, startedMs } = request;
  const { attemptsMax, withinMs, budget } = context.retry;
  if (outcome.replayable === false) return 'not_replayable';
  if (request.ended || tried.length >= attemptsMax) return 'attempts_exhausted';
  const nowMs = context.clock.monotonicMs();
  if (withinMs > 0 && nowMs - startedMs > withinMs) return 'too_slow';
  const { underWay } = standing.live;
  if (!request.retrying && !withinBudget(underWay.load(nowMs), budget)) return 'budget_exhausted';
  return undefined;
}

/** Why this request can't go to `member` now. The present snapshot may forbid what the request's own one permitted. */
function closedToRetry(
  member: Member,
  { tried, standing }: RequestState,
  present: Standing | undefined,
): SkipReason | undefined {
  if (tried.includes(member)) return 'already_tried';
  if (member.closed !== undefined) return member.closed;
  if (present === standing) return present.closed(member);
  const now = present?.capability.byStableId.get(member.selected.stableId);
  return now === undefined ? 'excluded' : present?.closed(now);
}

/** The best group with anybody left decides, by the session's preference or by a rotation of its own. */
function takeRetryTurn(
  { standing, table, session }: RequestState,
  closed: ClosedToRetry,
): { readonly group: Group; readonly choice: Choice } | undefined {
  for (const group of standing.capability.groups) {
    const { members } = group;
    const open = new MemberSet(members.length, (position) => {
      const member = members[position];
      return member !== undefined && closed(member) === undefined;
    });
    if (open.size === 0) continue;
    const preferred = session?.prefer(group, open);
    const member = members[preferred ?? table.pickersOf(group).retries.pick(open)];
    if (member !== undefined)
      return { group, choice: { member, reason: preferred === undefined ? 'policy' : 'preference' } };
  }
  return undefined;
}
