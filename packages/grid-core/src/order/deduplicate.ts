import { type CandidateIdentity, identityKey } from '../identity/stable-id.ts';

/**
 * One candidate per identity: the better one by `compare`, wherever in the list the others stand.
 *
 * Looking only at neighbours after the sort is not enough: freshness, score and other kinds come between two entries
 * of one identity, and a consumer rejects the whole overlay for such a pair.
 */
export function deduplicate<C extends CandidateIdentity>(
  candidates: readonly C[],
  compare: (left: C, right: C) => number,
): C[] {
  const best = new Map<string, C>();
  for (const candidate of candidates) {
    const key = identityKey(candidate);
    const kept = best.get(key);
    if (kept === undefined || compare(candidate, kept) < 0) best.set(key, candidate);
  }
  return [...best.values()];
}
