import type { MemberIdentity } from '../snapshot/member-order.ts';
import type { MemberSet } from '../snapshot/member-set.ts';

/**
 * Chooses among the members of one group. Positions index the group's members; `open` says which may be chosen.
 * Nothing is allocated per pick, and every pick ends.
 */
export interface Picker {
  /** Chooses an open member and spends its turn. -1 when none is open. */
  pick(open: MemberSet): number;
  /** The member {@link pick} would choose now, spending nothing. -1 when none is open, or when chance decides. */
  peek(open: MemberSet): number;
  /**
   * Where the rotation stands, for the picker of a changed group to carry on from. Only picks move it: before its first
   * one, a picker answers with the position it began from itself, and with undefined when it began at an offset. Always
   * undefined for pickers without memory.
   */
  position(): TurnPosition | undefined;
}

/**
 * A place in a rotation that survives a change of members: whose turn is next, by identity, and how far round the
 * revolution is: `turn` of `of`.
 */
export interface TurnPosition {
  readonly next: MemberIdentity;
  readonly turn: number;
  readonly of: number;
}

/** Where a rotation begins: an offset, reduced to the length of the revolution, or where another one stood. */
export type TurnStart = number | TurnPosition;
