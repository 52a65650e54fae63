import { type OverlayIssue, quoted } from '../../issues.ts';
import { effectiveStableId } from '../normalise.ts';
import type { CandidateList } from './groups.ts';

/** Repeated `(kind, name, site, cluster)` and repeated effective stable ids. A repetition is never a weight. */
export function identityIssues({ candidates, path }: CandidateList): OverlayIssue[] {
  const issues: OverlayIssue[] = [];
  const identities = new Map<string, number>();
  const stableIds = new Map<string, number>();
  candidates.forEach((candidate, index) => {
    const identity = JSON.stringify([candidate.kind, candidate.name, candidate.site, candidate.cluster]);
    const stableId = effectiveStableId(candidate);
    const sameIdentity = identities.get(identity);
    const sameStableId = stableIds.get(stableId);
    if (sameIdentity === undefined) identities.set(identity, index);
    else {
      const message = `kind, name, site and cluster are those of ${path}[${sameIdentity}]; list a candidate once.`;
      issues.push({ code: 'duplicate_candidate', path: `${path}[${index}]`, message });
    }
    if (sameStableId === undefined) stableIds.set(stableId, index);
    else if (sameStableId !== sameIdentity) {
      const message = `the stable id ${quoted(stableId)} is that of ${path}[${sameStableId}]; sessions and metrics need one id per candidate.`;
      issues.push({ code: 'duplicate_stable_id', path: `${path}[${index}].stable_id`, message });
    }
  });
  return issues;
}
