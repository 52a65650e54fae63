import type { OverlayIssue } from '../../issues.ts';
import { SELECTION_POLICIES, type SelectionPolicy } from '../../model.ts';
import { readAdmissionState } from '../normalise.ts';
import type { WireCandidateParsed } from '../wire.ts';
import { isWeighted } from './selection-policy.ts';

interface CapabilityState {
  readonly first: number;
  readonly grouped: boolean;
  /** Highest group so far, and where and with which admission it began. */
  group: number;
  groupStart: number;
  admission: string;
}

/** Candidates with the path under which they stand in the document. */
export interface CandidateList {
  readonly candidates: readonly WireCandidateParsed[];
  readonly path: string;
}

/**
 * Group numbers, per capability `(kind, name)` in array order: on all candidates or on none, from 0, never falling,
 * growing by 1, one admission state per group. Capabilities may interleave.
 */
export function groupIssues({ candidates, path }: CandidateList): OverlayIssue[] {
  const issues: OverlayIssue[] = [];
  const capabilities = new Map<string, CapabilityState>();
  candidates.forEach((candidate, index) => {
    const key = `${candidate.kind} ${candidate.name}`; // no kind has a space in it
    const state = capabilities.get(key);
    if (state === undefined) capabilities.set(key, opened(candidate, index));
    const message = state === undefined ? firstIssue(candidate) : nextIssue(state, candidate, index, path);
    if (message !== undefined) {
      issues.push({ code: 'group_conflict', path: `${path}[${index}].selection_group`, message });
    }
  });
  return issues;
}

function opened(candidate: WireCandidateParsed, index: number): CapabilityState {
  return {
    first: index,
    grouped: candidate.selection_group !== undefined,
    group: candidate.selection_group ?? 0,
    groupStart: index,
    admission: readAdmissionState(candidate.admission_state),
  };
}

function firstIssue(candidate: WireCandidateParsed): string | undefined {
  const group = candidate.selection_group ?? 0;
  return group === 0
    ? undefined
    : `found group ${group} on the capability's first candidate; groups start at 0.`;
}

/** Judges a later candidate and moves the state on. After a mistake it continues from what was found, so one slip is one issue. */
function nextIssue(
  state: CapabilityState,
  candidate: WireCandidateParsed,
  index: number,
  path: string,
): string | undefined {
  const group = candidate.selection_group;
  if ((group !== undefined) !== state.grouped) {
    const [here, there] = state.grouped ? ['no group', 'has one'] : ['a group', 'has none'];
    return `found ${here}, but ${path}[${state.first}] of the same capability ${there}; give all a group or none.`;
  }
  if (group === undefined) return undefined;
  const admission = readAdmissionState(candidate.admission_state);
  const previous = state.group;
  if (group !== previous) {
    state.group = group;
    state.groupStart = index;
    state.admission = admission;
    if (group === previous + 1) return undefined;
    return `found group ${group} after group ${previous}; a capability's groups never fall and grow by 1.`;
  }
  if (admission === state.admission) return undefined;
  return `found admission ${admission} in group ${group}, which began as ${state.admission} at ${path}[${state.groupStart}]; a group has one admission state.`;
}

/** A policy that shares traffic needs at least one group to share it in. */
export function policyIssues(
  policy: SelectionPolicy,
  { candidates }: CandidateList,
  path: string,
): OverlayIssue[] {
  if (policy === SELECTION_POLICIES[0]) return [];
  if (candidates.some((candidate) => candidate.selection_group !== undefined)) return [];
  const message = `found the policy ${policy}, but no candidate has a selection_group, so it could not take effect; number the groups or omit the policy.`;
  return [{ code: 'policy_without_groups', path, message }];
}

/** Weights: on every candidate, each in a group, under a weighted policy; on none otherwise. */
export function weightIssues(policy: SelectionPolicy, { candidates, path }: CandidateList): OverlayIssue[] {
  const issues: OverlayIssue[] = [];
  const weighted = isWeighted(policy);
  const anyGroup = candidates.some((candidate) => candidate.selection_group !== undefined);
  candidates.forEach((candidate, index) => {
    const message = weightMessage(policy, candidate, { weighted, anyGroup });
    if (message !== undefined) {
      issues.push({ code: 'weight_conflict', path: `${path}[${index}].traffic_weight`, message });
    }
  });
  return issues;
}

function weightMessage(
  policy: SelectionPolicy,
  candidate: WireCandidateParsed,
  facts: { readonly weighted: boolean; readonly anyGroup: boolean },
): string | undefined {
  const weight = candidate.traffic_weight;
  if (!facts.weighted) {
    if (weight === undefined) return undefined;
    return `found the weight ${weight} under the policy ${policy}, which ignores weights; remove it or use a weighted policy.`;
  }
  if (weight === undefined)
    return `missing; the policy ${policy} needs a weight from 1 to 1000 on every candidate.`;
  // Without any group the document already fails as policy_without_groups.
  if (candidate.selection_group !== undefined || !facts.anyGroup) return undefined;
  return 'found a weight on a candidate without selection_group; a weight is a share of a group.';
}
