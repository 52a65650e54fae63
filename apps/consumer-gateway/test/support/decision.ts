import type { RouteDecision } from '@switchyard/ai-route';

/** A decision as the router hands it out, with what a test cares about replaced. */
export function decision(changes: Partial<RouteDecision> = {}): RouteDecision {
  return {
    policy: 'round_robin',
    group: 0,
    candidate: {
      kind: 'inference_model',
      name: 'demo-model',
      site: 'site-a',
      cluster: 'provider-a',
      stableId: '218148b9',
      rank: 0,
    },
    admissionState: 'new_and_existing',
    acceptedRevision: 'b'.repeat(64),
    servingRevision: '0123456789abcdef'.repeat(4),
    affinity: 'disabled',
    attempt: 1,
    reason: 'round_robin',
    fallthrough: false,
    skipped: [],
    ...changes,
  };
}
