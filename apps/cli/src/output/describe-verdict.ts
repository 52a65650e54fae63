import type { ExplainedCandidate, RouteExplanation } from '@switchyard/ai-route';

/** Why a candidate gets the next request or doesn't, in words. */
export function describeVerdict(
  { verdict, trafficWeight }: ExplainedCandidate,
  policy: string,
  active: number | null,
): string {
  switch (verdict) {
    case 'chosen':
      return policy === 'deterministic' ? 'serves: first in order that can' : 'next in turn';
    case 'eligible':
      return eligible(policy, trafficWeight);
    case 'excluded':
      return 'takes no requests';
    case 'existing_only':
      return 'keeps its sessions, takes no new ones';
    case 'unknown_cluster':
      return 'the gateway has no such cluster';
    case 'lower_group':
      return `waits: group ${active ?? 0} is better and can serve`;
    case 'already_tried':
      return 'already tried';
  }
}

function eligible(policy: string, weight: number | null): string {
  if (policy === 'deterministic') return 'stands by: an earlier one can serve';
  if (policy.endsWith('random')) return weight === null ? 'may be drawn' : `may be drawn, weight ${weight}`;
  return weight === null ? 'gets its turn' : `gets its turns, weight ${weight}`;
}

/** The answer in one sentence. */
export function describeOutcome({ outcome, decision }: RouteExplanation, active: number | null): string {
  const better = active === 1 ? ", as group 0 can't serve" : ', as no better one can serve';
  const group =
    active === null
      ? 'The capability has no groups'
      : `Group ${active} is active${active === 0 ? '' : better}`;
  switch (outcome) {
    case 'decided':
      return `${group}; a new request goes to ${decision?.candidate.cluster ?? ''}.`;
    case 'drawn_at_random':
      return `${group}; each new request is drawn among its eligible members.`;
    case 'no_viable_candidate':
      return 'Nobody can serve: every candidate is closed to new requests.';
    case 'unknown_capability':
      return 'The overlay has no such capability.';
  }
}
