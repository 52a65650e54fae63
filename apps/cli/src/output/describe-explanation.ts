import type { ExplainedCandidate, RouteExplanation } from '@switchyard/ai-route';
import { safeText } from './safe-text.ts';
import type { Screen } from './screen.ts';
import { table, wrap } from './table.ts';

/** How a capability is served, beside what the router says of each candidate. */
export interface ServingFacts {
  /** Null when there is no such capability. */
  readonly policy: string | null;
  /** Null without groups, or when nobody can serve. */
  readonly activeGroup: number | null;
  /** Of the overlay. */
  readonly revision: string;
}

/** Who serves a capability, and each candidate's part in it, best group first. */
export function describeExplanation(
  explanation: RouteExplanation,
  facts: ServingFacts,
  screen: Screen,
): string[] {
  const { kind, name, candidates } = explanation;
  const title = screen.paint('bold', `${kind} ${safeText(name)}`);
  const header = ['group', 'cluster', 'site', 'admission', 'why'];
  return [
    `${title}, policy ${facts.policy ?? 'none'}, revision ${facts.revision.slice(0, 12)}`,
    ...wrap(safeText(describeOutcome(explanation, facts)), screen.width),
    '',
    ...table([header, ...candidates.map((each) => row(each, facts))], {
      width: screen.width,
      paint: (text, cell) =>
        cell.row === 0 ? screen.paint('dim', text) : paintVerdict(text, candidates[cell.row - 1], screen),
    }),
  ];
}

function row(candidate: ExplainedCandidate, facts: ServingFacts): string[] {
  const { group, cluster, site, admissionState } = candidate;
  const place = group === null ? '-' : String(group);
  return [place, safeText(cluster), safeText(site), admissionState, describeVerdict(candidate, facts)];
}

function paintVerdict(text: string, candidate: ExplainedCandidate | undefined, screen: Screen): string {
  if (candidate?.verdict === 'chosen') return screen.paint('green', text);
  return candidate?.verdict === 'eligible' ? text : screen.paint('dim', text);
}

/** Why a candidate gets the next request or doesn't, in words. */
function describeVerdict(
  { verdict, trafficWeight }: ExplainedCandidate,
  { policy, activeGroup }: ServingFacts,
): string {
  if (verdict === 'chosen')
    return policy === 'deterministic' ? 'serves: first in order that can' : 'next in turn';
  if (verdict === 'eligible') return eligible(policy ?? '', trafficWeight);
  if (verdict === 'lower_group') return `waits: group ${activeGroup ?? 0} is better and can serve`;
  return CLOSED[verdict] ?? verdict.replaceAll('_', ' ');
}

/** What keeps a candidate from new requests, whoever else can serve. */
const CLOSED: Readonly<Partial<Record<ExplainedCandidate['verdict'], string>>> = {
  excluded: 'takes no requests',
  existing_only: 'keeps its sessions, takes no new ones',
  unknown_cluster: 'the gateway has no such cluster',
};

function eligible(policy: string, weight: number | null): string {
  if (policy === 'deterministic') return 'stands by: an earlier one can serve';
  if (policy.endsWith('random')) return weight === null ? 'may be drawn' : `may be drawn, weight ${weight}`;
  return weight === null ? 'gets its turn' : `gets its turns, weight ${weight}`;
}

/** The answer in one sentence. */
function describeOutcome({ outcome, decision }: RouteExplanation, { activeGroup }: ServingFacts): string {
  const better = activeGroup === 1 ? ", as group 0 can't serve" : ', as no better one can serve';
  const group =
    activeGroup === null
      ? 'The capability has no groups'
      : `Group ${activeGroup} is active${activeGroup === 0 ? '' : better}`;
  if (outcome === 'decided') return `${group}; a new request goes to ${decision?.candidate.cluster ?? ''}.`;
  if (outcome === 'drawn_at_random') return `${group}; each new request is drawn among its eligible members.`;
  if (outcome === 'unknown_capability') return 'The overlay has no such capability.';
  return 'Nobody can serve: every candidate is closed to new requests.';
}
