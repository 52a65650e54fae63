import type { RoutingPolicy } from '../model.ts';
import { boundaryTuple, type OrderableCandidate } from './order-key.ts';

interface Run {
  readonly boundary: readonly number[];
  readonly group: number;
}

/**
 * Selection group numbers for a list that {@link sortCandidates} has sorted with the same policy; one number per
 * candidate, in list order.
 *
 * Per capability (kind, name) the first candidate is in group 0, and a change of the boundary values starts the next
 * group: admission, tier and fresh with `geographyFirst`; admission and fresh with `scoreFirst`. Score and identity
 * never split a group. On a sorted list each group is one contiguous run of its capability.
 */
export function assignGroups(sorted: readonly OrderableCandidate[], policy: RoutingPolicy): number[] {
  const runs = new Map<string, Run>();
  return sorted.map((candidate) => {
    const capability = JSON.stringify([candidate.kind, candidate.name]);
    const boundary = boundaryTuple(candidate, policy);
    const previous = runs.get(capability);
    const group = previous === undefined ? 0 : nextGroup(previous, boundary);
    runs.set(capability, { boundary, group });
    return group;
  });
}

function nextGroup(previous: Run, boundary: readonly number[]): number {
  const same = boundary.every((value, index) => value === previous.boundary[index]);
  return same ? previous.group : previous.group + 1;
}
