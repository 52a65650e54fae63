import type { AdmissionState } from '@switchyard/overlay-contract';
import type { CandidateIdentity } from '../identity/stable-id.ts';
import type { RoutingPolicy, SelectionTier } from '../model.ts';
import { compareUtf8 } from '../text/compare-utf8.ts';

/** What ordering and grouping look at; every other field of a candidate is left alone. */
export interface OrderableCandidate extends CandidateIdentity {
  /** Default `new_and_existing`. */
  readonly admissionState?: AdmissionState;
  /** Default `unknown`, the last tier. */
  readonly selectionTier?: SelectionTier;
  /** Default true. */
  readonly fresh?: boolean;
  /**
   * Higher is better. -0 counts as 0. Missing and NaN are one value, "no score", and sort after every number: a
   * silent provider must not look average.
   */
  readonly score?: number;
}

const ADMISSION_ORDER: Readonly<Record<AdmissionState, number>> = {
  new_and_existing: 0,
  existing_only: 1,
  excluded: 2,
};

const TIER_ORDER: Readonly<Record<SelectionTier, number>> = {
  same_site: 0,
  same_zone: 1,
  same_region: 2,
  cross_region: 3,
  unknown: 4,
};

type OrderKey = readonly (number | string)[];

/**
 * The discrete values whose change starts a new selection group, best first. They depend on the candidate alone, so
 * adding or removing others never regroups it; they are compared with `===` only, so "same group" is transitive.
 */
export function boundaryTuple(candidate: OrderableCandidate, policy: RoutingPolicy): readonly number[] {
  const admission = ADMISSION_ORDER[candidate.admissionState ?? 'new_and_existing'];
  const stale = (candidate.fresh ?? true) ? 0 : 1;
  return policy === 'geographyFirst' ? [admission, tierOrder(candidate), stale] : [admission, stale];
}

/** Every sort key in order, in canonical form; equal keys mean the same identity and the same ranking. */
export function orderKey(candidate: OrderableCandidate, policy: RoutingPolicy): OrderKey {
  const boundary = boundaryTuple(candidate, policy);
  const tail = policy === 'geographyFirst' ? [] : [tierOrder(candidate)];
  return [...boundary, ...scoreKey(candidate.score), ...tail, ...identityTail(candidate)];
}

/** Compares two keys of one policy: negative, zero (only for equal keys) or positive. */
export function compareOrderKeys(left: OrderKey, right: OrderKey): number {
  for (const [index, a] of left.entries()) {
    const b = right[index];
    if (a === b) continue;
    if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
    return Number(a) < Number(b) ? -1 : 1;
  }
  return 0;
}

function tierOrder(candidate: OrderableCandidate): number {
  return TIER_ORDER[candidate.selectionTier ?? 'unknown'];
}

/** Two numbers that ascend where the score descends: [has no score, minus score]. */
function scoreKey(score: number | undefined): readonly [number, number] {
  if (score === undefined || Number.isNaN(score)) return [1, 0];
  // + 0 turns -0 into 0: `===` and a byte-wise producer would disagree about the two zeroes.
  return [0, -score + 0];
}

function identityTail({ site, name, cluster, kind }: CandidateIdentity): readonly string[] {
  return [site, name, cluster, kind];
}
