import type { RouteRequest, Router, SkippedCandidate } from '@switchyard/ai-route';
import type { SelectionPolicy } from '@switchyard/overlay-contract';
import type { MemberName } from '../overlay/changes.ts';
import { servingOf } from './serving.ts';

/** A member of the active group and what it got. */
interface PickedMember extends MemberName {
  /** Null under policies without weights. */
  readonly weight: number | null;
  readonly count: number;
  /** Of all picks, 0 to 1. */
  readonly share: number;
}

/** What a number of new, unbound requests got. */
export interface Simulation {
  readonly policy: SelectionPolicy;
  readonly group: number | null;
  /** Everybody who could have been picked, in canonical order. */
  readonly members: readonly PickedMember[];
  /** Who was picked, in order. */
  readonly sequence: readonly MemberName[];
}

/** The picks, or why there are none. */
export type SimulationResult =
  | { readonly ok: true; readonly simulation: Simulation }
  | {
      readonly ok: false;
      readonly reason: 'unknown_capability' | 'no_viable_candidate';
      readonly skipped: readonly SkippedCandidate[];
    };

/** Asks the router `picks` times, as that many requests that all succeed would. */
export function simulate(router: Router, request: RouteRequest, picks: number): SimulationResult {
  const [view] = router.routes(request);
  const sequence: MemberName[] = [];
  const counts = new Map<string, number>();
  for (let pick = 0; pick < picks; pick++) {
    const result = router.select(request);
    if (!result.ok) {
      return {
        ok: false,
        reason: view === undefined ? 'unknown_capability' : 'no_viable_candidate',
        skipped: result.skipped,
      };
    }
    const { site, cluster, stableId } = result.selection.decision.candidate;
    result.selection.end({ result: 'answered' });
    sequence.push({ site, cluster, stableId });
    counts.set(stableId, (counts.get(stableId) ?? 0) + 1);
  }
  if (view === undefined) return { ok: false, reason: 'unknown_capability', skipped: [] };
  const active = view.groups.find((group) => group.active);
  const members = (active?.members ?? []).filter(({ viable }) => viable);
  return {
    ok: true,
    simulation: {
      policy: view.policy,
      group: servingOf(view).group,
      members: members.map(({ site, cluster, stableId, trafficWeight }) => {
        const count = counts.get(stableId) ?? 0;
        return { site, cluster, stableId, weight: trafficWeight, count, share: count / picks };
      }),
      sequence,
    },
  };
}
