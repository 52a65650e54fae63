// Hot path: asked once per request.
import type { SkippedCandidate, SkipReason } from '../decision.ts';
import { MemberSet } from '../snapshot/member-set.ts';
import { skippedCandidates } from '../snapshot/skipped.ts';
import type { Capability, Group, Member } from '../snapshot/snapshot.ts';
import { servesBoundSessions } from '../snapshot/viability.ts';
import type { LiveCapability } from './live-capability.ts';

/** Members that left of which something is remembered, in case that they return, beside as many as there are. */
const GONE_MAX = 64;

const NOBODY_OPEN = new MemberSet(0, () => false);

/**
 * A snapshot's capability as it stands now: what the overlay permits, less who is ejected. Worked out anew only after
 * somebody went out or came back; while nobody is out, it is the snapshot's own.
 */
export class Standing {
  readonly capability: Capability;
  readonly live: LiveCapability;
  /** The best group with a member that takes new requests. */
  active: Group | undefined;
  /** The members of the active group that take new requests. */
  open: MemberSet;
  /** Who a new request passes over, and why. */
  skipped: readonly SkippedCandidate[];
  /** Who serves although ejected, since everybody is: the one that is due first. */
  lastResort: Member | undefined;
  #version = 0;

  constructor(capability: Capability, live: LiveCapability) {
    this.capability = capability;
    this.live = live;
    this.active = capability.active;
    this.open = capability.active?.open ?? NOBODY_OPEN;
    this.skipped = capability.skipped;
    const { byStableId } = capability;
    if (live.health.size > 2 * byStableId.size + GONE_MAX)
      live.health.prune((stableId) => byStableId.has(stableId));
  }

  /** Brings it up to date. */
  refresh(nowMs: number): void {
    const { health } = this.live;
    health.advance(nowMs);
    if (health.version !== this.#version) this.#workOut();
    this.#version = health.version;
  }

  /** Why `member` takes no new requests now; undefined when it does. */
  closed(member: Member): SkipReason | undefined {
    return member.closed ?? (this.live.health.out(member.selected.stableId) ? 'ejected' : undefined);
  }

  /**
   * Whether a session that is bound to `member`, or a state that it holds, may go there now. With nobody else to go to, an
   * ejection helps no one.
   */
  servesBound(member: Member): boolean {
    if (!servesBoundSessions(member.closed)) return false;
    return this.active === undefined || !this.live.health.out(member.selected.stableId);
  }

  /** Whether somebody else than `stableId` takes new requests and is well. */
  dispensable(stableId: string): boolean {
    const { health } = this.live;
    return this.capability.groups.some(({ members }) =>
      members.some(({ closed, selected }) => {
        const other = selected.stableId;
        return closed === undefined && other !== stableId && health.well(other);
      }),
    );
  }

  /** The members of `group` that take new requests now. */
  openIn(group: Group): MemberSet {
    const open = new MemberSet(group.members.length, (position) => {
      const member = group.members[position];
      return member !== undefined && this.closed(member) === undefined;
    });
    return open.size === group.open.size ? group.open : open;
  }

  #workOut(): void {
    const { capability } = this;
    this.active = undefined;
    this.open = NOBODY_OPEN;
    for (const group of capability.groups) {
      const open = this.openIn(group);
      if (open.size === 0) continue;
      this.active = group;
      this.open = open;
      break;
    }
    this.lastResort = this.active === undefined ? this.#leastBad() : undefined;
    this.skipped = Object.freeze(
      skippedCandidates(capability.groups, this.active, (member) =>
        member === this.lastResort ? undefined : this.closed(member),
      ),
    );
  }

  /** The one whose ejection ends first; of equals the one in the better group, then the canonical order. */
  #leastBad(): Member | undefined {
    let best: Member | undefined;
    let bestUntilMs = Number.POSITIVE_INFINITY;
    for (const { members } of this.capability.groups) {
      for (const member of members) {
        const health = this.live.health.get(member.selected.stableId);
        if (member.closed !== undefined || health === undefined || health.untilMs >= bestUntilMs) continue;
        best = member;
        bestUntilMs = health.untilMs;
      }
    }
    return best;
  }
}
