import { type OverlayIssue, quoted } from '../../issues.ts';
import type { CandidateList } from './groups.ts';

/**
 * Repeated `(kind, name, site, cluster)` and repeated effective stable ids (those given, one per candidate). A
 * repetition is never a weight.
 */
export function identityIssues(
  { candidates, path }: CandidateList,
  stableIds: readonly string[],
): OverlayIssue[] {
  const issues: OverlayIssue[] = [];
  const identities = new Map<string, number>();
  const known = new Map<string, number>();
  candidates.forEach((candidate, index) => {
    const { kind, name, site, cluster } = candidate;
    // The lengths keep ("a", "bc") and ("ab", "c") apart.
    const identity = `${name.length} ${site.length} ${kind} ${name}${site}${cluster}`;
    const stableId = stableIds[index] ?? '';
    const sameIdentity = identities.get(identity);
    const sameStableId = known.get(stableId);
    if (sameIdentity === undefined) identities.set(identity, index);
    else {
      const message = `kind, name, site and cluster are those of ${path}[${sameIdentity}]; list a candidate once.`;
      issues.push({ code: 'duplicate_candidate', path: `${path}[${index}]`, message });
    }
    if (sameStableId === undefined) known.set(stableId, index);
    else if (sameStableId !== sameIdentity) {
      const message = `the stable id ${quoted(stableId)} is that of ${path}[${sameStableId}]; sessions and metrics need one id per candidate.`;
      issues.push({ code: 'duplicate_stable_id', path: `${path}[${index}].stable_id`, message });
    }
  });
  return issues;
}
