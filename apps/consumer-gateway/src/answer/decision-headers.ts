import type { RouteDecision } from '@switchyard/ai-route';
import { headerSafe } from '@switchyard/gateway-kit';
import { stripInternalHeaders } from '../request/strip-internal-headers.ts';

/** Digits of a revision that are shown to people: enough to tell overlays apart. */
const REVISION_DIGITS = 12;

/** The first digits of a revision, as `x-switchyard-revision` has them. */
function shortRevision(revision: string): string {
  return revision.slice(0, REVISION_DIGITS);
}

/** The headers by which a routed response tells how it was routed, as a flat list of names and values. */
export function decisionHeaders(decision: RouteDecision): string[] {
  return [
    'x-switchyard-provider',
    headerSafe(decision.candidate.cluster),
    'x-switchyard-group',
    decision.group === null ? 'none' : String(decision.group),
    'x-switchyard-policy',
    decision.policy,
    'x-switchyard-affinity',
    decision.affinity,
    'x-switchyard-attempts',
    String(decision.attempt),
    'x-switchyard-revision',
    shortRevision(decision.servingRevision),
  ];
}

/**
 * Turns a provider's response headers into the client's: the provider's own internal ones go, ours come.
 * @param headers - May be changed.
 * @param decision - What to tell the client; undefined when the operator opted out.
 */
export function withDecisionHeaders(headers: string[], decision: RouteDecision | undefined): string[] {
  const result = stripInternalHeaders(headers);
  if (decision !== undefined) for (const part of decisionHeaders(decision)) result.push(part);
  return result;
}
