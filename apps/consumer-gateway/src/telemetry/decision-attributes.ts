import type { RouteDecision } from '@switchyard/ai-route';
import type { SpanAttributes } from '@switchyard/gateway-kit';
import type { DecisionAttribute } from './spans.ts';

/** A decision as span attributes. Every value is bounded by the overlay or an enum; none comes from a client. */
export function decisionAttributes(decision: RouteDecision): SpanAttributes<DecisionAttribute> {
  const { candidate } = decision;
  const attributes: SpanAttributes<DecisionAttribute> = {
    'routing.policy': decision.policy,
    'routing.kind': candidate.kind,
    'routing.admission_state': decision.admissionState,
    'routing.affinity': decision.affinity,
    'routing.attempt': decision.attempt,
    'routing.fallthrough': decision.fallthrough,
    'routing.reason': decision.reason,
    'selected.provider': candidate.cluster,
    'selected.site': candidate.site,
    'selected.cluster': candidate.cluster,
    'selected.stable_id': candidate.stableId,
    'overlay.revision.accepted': decision.acceptedRevision,
    'overlay.revision.serving': decision.servingRevision,
  };
  if (decision.group !== null) attributes['routing.group'] = decision.group;
  if (candidate.rank !== null) attributes['routing.rank'] = candidate.rank;
  return attributes;
}
