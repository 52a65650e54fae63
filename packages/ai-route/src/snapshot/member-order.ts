import type { Candidate } from '@switchyard/overlay-contract';

/** The parts of a candidate that place it among others. */
export type MemberIdentity = Pick<Candidate, 'kind' | 'name' | 'site' | 'cluster'>;

/**
 * The one order members have, whatever order the overlay lists them in: site, name, cluster, kind, by UTF-16 code
 * units. Never a locale: two gateways must agree.
 */
export function compareMembers(a: MemberIdentity, b: MemberIdentity): number {
  return (
    compareText(a.site, b.site) ||
    compareText(a.name, b.name) ||
    compareText(a.cluster, b.cluster) ||
    compareText(a.kind, b.kind)
  );
}

/** Distinguishes the members of one capability. The length keeps `("a", "bc")` and `("ab", "c")` apart. */
export function memberKey(member: MemberIdentity): string {
  return `${member.site.length}:${member.site}${member.cluster}`;
}

/** Index of the first of the sorted `members` that does not come before `wanted`; `members.length` when all do. */
export function lowerBound(members: readonly MemberIdentity[], wanted: MemberIdentity): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const member = members[middle];
    if (member !== undefined && compareMembers(member, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
