import type { RouteDecision } from '@switchyard/ai-route';
import type { SpanAttributes } from '@switchyard/gateway-kit';
import type { DecisionAttribute } from './spans.ts';

type Attributes = Readonly<SpanAttributes<DecisionAttribute>>;

/** Ways in which one candidate is found that are kept: affinity, attempt and reason make few. */
const KEPT_PER_CANDIDATE = 16;

/**
 * Decisions as span attributes. Every value is bounded by the overlay or an enum; none comes from a client. The sets are
 * frozen, and the same one is handed out for decisions that say the same, so that it need not be encoded again; a
 * candidate's go with its overlay.
 */
export class DecisionAttributes {
  readonly #kept = new WeakMap<RouteDecision['candidate'], Attributes[]>();

  of(decision: RouteDecision): Attributes {
    const kept = this.#kept.get(decision.candidate) ?? [];
    for (const attributes of kept) if (tells(attributes, decision)) return attributes;
    const attributes = toAttributes(decision);
    if (kept.length === KEPT_PER_CANDIDATE) kept.shift();
    kept.push(attributes);
    this.#kept.set(decision.candidate, kept);
    return attributes;
  }
}

/** Whether a candidate's attributes are those of a decision for it: all is compared that is not the candidate's own. */
function tells(attributes: Attributes, decision: RouteDecision): boolean {
  return (
    attributes['routing.reason'] === decision.reason &&
    attributes['routing.affinity'] === decision.affinity &&
    attributes['routing.attempt'] === decision.attempt &&
    attributes['routing.fallthrough'] === decision.fallthrough &&
    attributes['routing.policy'] === decision.policy &&
    attributes['routing.group'] === (decision.group ?? undefined) &&
    attributes['routing.admission_state'] === decision.admissionState &&
    attributes['overlay.revision.accepted'] === decision.acceptedRevision &&
    attributes['overlay.revision.serving'] === decision.servingRevision
  );
}

function toAttributes(decision: RouteDecision): Attributes {
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
  return Object.freeze(attributes);
}
