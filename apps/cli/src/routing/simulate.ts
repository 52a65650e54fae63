import type { RouteRequest, Router, Selection, SkippedCandidate, ViabilityEvent } from '@switchyard/ai-route';
import type { SelectionPolicy } from '@switchyard/overlay-contract';
import type { MemberName } from '../overlay/changes.ts';
import { servingOf } from './serving.ts';

/** What is simulated. */
export interface SimulationInput {
  /** Requests, one after another. */
  readonly picks: number;
  /** How many attempts each of these clusters fails from the start: no connection can be made. Default: none fails. */
  readonly failing?: ReadonlyMap<string, number> | undefined;
  /** Called after each request: lets time pass until the next one. */
  readonly pause?: (() => void) | undefined;
  /** Where the router writes its events; they are taken out after each request. Default: nothing is told of them. */
  readonly events?: ViabilityEvent[] | undefined;
}

/** A member and what it got. */
interface PickedMember extends MemberName {
  /** Null under policies without weights. */
  readonly weight: number | null;
  /** Requests that it answered. */
  readonly count: number;
  /** Those of all requests, 0 to 1. */
  readonly share: number;
  /** Attempts that it got, failed ones included. */
  readonly attempts: number;
}

/** A member was ejected, again perhaps, or came back. */
interface SimulatedEjection extends MemberName {
  /** The request that brought it about, from 1. */
  readonly pick: number;
  /** For how long, in whole milliseconds; null when it came back. */
  readonly forMs: number | null;
}

/** What a number of new, unbound requests got. */
export interface Simulation {
  readonly policy: SelectionPolicy;
  /** The group that served at first. */
  readonly group: number | null;
  /** Everybody who could have been picked at first, and who was tried later, in canonical order. */
  readonly members: readonly PickedMember[];
  /** Who answered, in order; null when nobody did. */
  readonly sequence: readonly (MemberName | null)[];
  /** Requests that went on to a second attempt. */
  readonly retried: number;
  /** Who was ejected and who came back, in order. */
  readonly ejections: readonly SimulatedEjection[];
}

/** The picks, or why there are none. */
export type SimulationResult =
  | { readonly ok: true; readonly simulation: Simulation }
  | {
      readonly ok: false;
      readonly reason: 'unknown_capability' | 'no_viable_candidate';
      readonly skipped: readonly SkippedCandidate[];
    };

/** Plays that many requests through the router, retries and ejections included, each ended before the next begins. */
export function simulate(router: Router, request: RouteRequest, input: SimulationInput): SimulationResult {
  const { picks, failing, pause, events = [] } = input;
  const [view] = router.routes(request);
  if (view === undefined) return { ok: false, reason: 'unknown_capability', skipped: [] };
  const sequence: (MemberName | null)[] = [];
  const counts = new Tally();
  const attempts = new Tally();
  const left = new Map(failing);
  const ejections: SimulatedEjection[] = [];
  let retried = 0;
  for (let pick = 1; pick <= picks; pick++) {
    const result = router.select(request);
    if (!result.ok) return { ok: false, reason: 'no_viable_candidate', skipped: result.skipped };
    const { last, answered } = runRequest(result.selection, left, attempts);
    const { candidate, attempt } = last.decision;
    const { site, cluster, stableId } = candidate;
    if (answered) counts.add(stableId);
    if (attempt > 1) retried++;
    sequence.push(answered ? { site, cluster, stableId } : null);
    ejections.push(...events.splice(0).map((event) => ejectionOf(event, pick)));
    pause?.();
  }
  const seen = view.groups.flatMap((group) =>
    group.members.filter(({ viable, stableId }) => (group.active && viable) || attempts.of(stableId) > 0),
  );
  const members = seen.map(({ site, cluster, stableId, trafficWeight }) => {
    const count = counts.of(stableId);
    const tried = attempts.of(stableId);
    return { site, cluster, stableId, weight: trafficWeight, count, share: count / picks, attempts: tried };
  });
  const { policy, group } = { policy: view.policy, group: servingOf(view).group };
  return { ok: true, simulation: { policy, group, members, sequence, retried, ejections } };
}

function ejectionOf(event: ViabilityEvent, pick: number): SimulatedEjection {
  const { site, cluster, stableId } = event.candidate;
  const forMs = event.type === 'ejected' ? Math.round(event.forMs) : null;
  return { pick, site, cluster, stableId, forMs };
}

/** One request, from attempt to attempt, as a gateway makes them. Takes off what clusters have left to fail. */
function runRequest(
  first: Selection,
  left: Map<string, number>,
  attempts: Tally,
): { readonly last: Selection; readonly answered: boolean } {
  for (let selection = first; ; ) {
    const { cluster, stableId } = selection.decision.candidate;
    attempts.add(stableId);
    const toFail = left.get(cluster) ?? 0;
    if (toFail === 0) {
      selection.end({ result: 'answered' });
      return { last: selection, answered: true };
    }
    left.set(cluster, toFail - 1);
    const next = selection.next({ result: 'connect_failed' });
    if (!next.ok) {
      selection.end({ result: 'connect_failed' });
      return { last: selection, answered: false };
    }
    selection = next.selection;
  }
}

/** Counts by stable id. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(stableId: string): void {
    this.#counts.set(stableId, this.of(stableId) + 1);
  }

  of(stableId: string): number {
    return this.#counts.get(stableId) ?? 0;
  }
}
