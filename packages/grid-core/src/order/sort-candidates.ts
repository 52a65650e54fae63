import type { RoutingPolicy } from '../model.ts';
import { compareOrderKeys, type OrderableCandidate, orderKey } from './order-key.ts';

/** A comparator for `Array.prototype.sort`: negative when the first candidate is the better one. */
export type CandidateComparator = (left: OrderableCandidate, right: OrderableCandidate) => number;

/**
 * The total order of a routing policy. Zero only when both candidates have the same identity and the same ranking
 * values, so the sorted result doesn't depend on the input order.
 */
export function compareCandidates(policy: RoutingPolicy): CandidateComparator {
  return (left, right) => compareOrderKeys(orderKey(left, policy), orderKey(right, policy));
}

/**
 * Candidates best first; the input is left as it is.
 *
 * `geographyFirst`: admission, tier, fresh, score (high first), site, name, cluster, kind.
 * `scoreFirst`: admission, fresh, score (high first), tier, site, name, cluster, kind. Texts compare by UTF-8 bytes.
 */
export function sortCandidates<C extends OrderableCandidate>(
  candidates: readonly C[],
  policy: RoutingPolicy,
): C[] {
  return candidates
    .map((candidate) => ({ candidate, key: orderKey(candidate, policy) }))
    .sort((left, right) => compareOrderKeys(left.key, right.key))
    .map(({ candidate }) => candidate);
}
