import type { Session } from '../affinity/session.ts';
import type { AffinityOutcome, DecisionReason, RouteDecision, SkippedCandidate } from '../decision.ts';
import type { Standing } from '../live/standing.ts';
import type { Capability, Member } from '../snapshot/snapshot.ts';
import type { Choice } from './choice.ts';

/** No candidate was passed over. */
export const NOBODY: readonly SkippedCandidate[] = Object.freeze([]);

/** What a request's first decision is made of. */
export interface FirstChoice {
  readonly standing: Standing;
  readonly choice: Choice;
  readonly session: Session | undefined;
  readonly revision: string;
}

/** The record of a request's first decision. */
export function recordFirst({ standing, choice, session, revision }: FirstChoice): RouteDecision {
  const { member, reason } = choice;
  // Who goes where it is bound looks at nobody else.
  const bound = reason === 'affinity' || reason === 'state';
  return {
    policy: standing.capability.policy,
    group: member.group,
    candidate: member.selected,
    admissionState: member.candidate.admissionState,
    acceptedRevision: revision,
    servingRevision: revision,
    affinity: affinityOf(choice, session),
    attempt: 1,
    reason: reasonOf(choice, standing.capability),
    fallthrough: false,
    skipped: bound ? NOBODY : standing.skipped,
  };
}

/** What a later decision of the same request is made of. */
export interface RetryChoice {
  readonly capability: Capability;
  /** Members tried, the new one last. */
  readonly tried: readonly Member[];
  readonly choice: Choice;
  readonly session: Session | undefined;
  readonly acceptedRevision: string;
  readonly servingRevision: string;
  readonly skipped: readonly SkippedCandidate[];
}

/** The record of a later decision of the same request. */
export function recordRetry(retry: RetryChoice): RouteDecision {
  const { capability, tried, choice, session } = retry;
  const { member } = choice;
  return {
    policy: capability.policy,
    group: member.group,
    candidate: member.selected,
    admissionState: member.candidate.admissionState,
    acceptedRevision: retry.acceptedRevision,
    servingRevision: retry.servingRevision,
    affinity: affinityOf(choice, session),
    attempt: tried.length,
    reason: reasonOf(choice, capability),
    fallthrough: member.group !== tried.at(-2)?.group,
    skipped: retry.skipped,
  };
}

function affinityOf({ reason }: Choice, session: Session | undefined): AffinityOutcome {
  if (reason === 'state') return 'reused';
  return session?.outcome ?? 'disabled';
}

function reasonOf({ reason }: Choice, { policy }: Capability): DecisionReason {
  if (reason === 'preference') return 'affinity';
  if (reason !== 'policy') return reason;
  return policy === 'deterministic' ? 'first_in_order' : policy;
}
