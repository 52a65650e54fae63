import type { SkippedCandidate, SkipReason } from '../decision.ts';
import type { Group, Member } from './snapshot.ts';

/**
 * Who is passed over when a member of `chosen` serves, and why: everyone who is closed, and everyone in a worse group.
 * Without a chosen group nobody serves, and only the closed are listed.
 */
export function skippedCandidates(
  groups: readonly Group[],
  chosen: Group | undefined,
  closed: (member: Member) => SkipReason | undefined,
): readonly SkippedCandidate[] {
  return groups.flatMap((group) => {
    const waits = chosen !== undefined && group.ordinal > chosen.ordinal ? 'lower_group' : undefined;
    return group.members.flatMap((member): SkippedCandidate[] => {
      const { stableId, cluster } = member.selected;
      const reason = closed(member) ?? waits;
      return reason === undefined ? [] : [{ stableId, cluster, reason }];
    });
  });
}
