import type { StateHolder } from '../affinity/state-holders.ts';
import type { Standing } from '../live/standing.ts';
import type { Member } from '../snapshot/snapshot.ts';

/** Who was chosen, and what decided: the session's binding or preference, a state, the policy, or that nobody is better. */
export interface Choice {
  readonly member: Member;
  readonly reason: 'policy' | 'affinity' | 'preference' | 'state' | 'last_resort';
}

/** The candidate of the holder's cluster, when it may serve what it holds: at the holder's site if there are several. */
export function chooseHolder({ cluster, site }: StateHolder, standing: Standing): Choice | undefined {
  const there = standing.capability.groups
    .flatMap(({ members }) => members)
    .filter((member) => member.selected.cluster === cluster && standing.servesBound(member));
  const member = there.find(({ selected }) => selected.site === site) ?? there[0];
  return member && { member, reason: 'state' };
}
