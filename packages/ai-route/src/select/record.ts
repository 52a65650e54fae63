import type { Session } from '../affinity/session-affinity.ts';
import type { DecisionReason, RouteDecision, SkippedCandidate } from '../decision.ts';
import type { Capability, Member } from '../snapshot/snapshot.ts';

/** No candidate was passed over. */
export const NOBODY: readonly SkippedCandidate[] = Object.freeze([]);

/** What a request's first decision is made of. */
export interface FirstChoice {
  readonly capability: Capability;
  readonly member: Member;
  readonly session: Session | undefined;
  readonly revision: string;
}

/** The record of a request's first decision. */
export function recordFirst({ capability, member, session, revision }: FirstChoice): RouteDecision {
  const bound = session?.bound !== undefined;
  return {
    policy: capability.policy,
    group: member.group,
    candidate: member.selected,
    admissionState: member.candidate.admissionState,
    acceptedRevision: revision,
    servingRevision: revision,
    affinity: session?.outcome ?? 'disabled',
    attempt: 1,
    reason: bound ? 'affinity' : reasonOf(capability),
    fallthrough: false,
    // A bound session looks at nobody else.
    skipped: bound ? NOBODY : capability.skipped,
  };
}

/** What a later decision of the same request is made of. */
export interface RetryChoice {
  readonly capability: Capability;
  /** Members tried, the new one last. */
  readonly tried: readonly Member[];
  readonly member: Member;
  readonly session: Session | undefined;
  readonly acceptedRevision: string;
  readonly servingRevision: string;
  readonly skipped: readonly SkippedCandidate[];
}

/** The record of a later decision of the same request. */
export function recordRetry(choice: RetryChoice): RouteDecision {
  const { capability, tried, member, session } = choice;
  return {
    policy: capability.policy,
    group: member.group,
    candidate: member.selected,
    admissionState: member.candidate.admissionState,
    acceptedRevision: choice.acceptedRevision,
    servingRevision: choice.servingRevision,
    affinity: session?.outcome ?? 'disabled',
    attempt: tried.length,
    reason: reasonOf(capability),
    fallthrough: member.group !== tried.at(-2)?.group,
    skipped: choice.skipped,
  };
}

function reasonOf({ policy }: Capability): DecisionReason {
  return policy === 'deterministic' ? 'first_in_order' : policy;
}
