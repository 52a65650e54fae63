import { lowerBound, type MemberIdentity } from '../snapshot/member-order.ts';
import { MemberSet } from '../snapshot/member-set.ts';
import type { Picker, TurnPosition, TurnStart } from './picker.ts';

/**
 * Weighted round robin without a written schedule, for weights whose revolution would be too long to store. One
 * revolution is a ring of length 1 on which a member of weight w has its turns at 1/2w, 3/2w ... (2w-1)/2w; the open
 * member whose next turn comes first is picked, the canonical order deciding at equal places. Every member gets exactly
 * its weight per revolution, and the only state is the place on the ring, so closed members cost nothing to pass.
 *
 * Places are fractions of small integers and are compared crosswise: nothing is rounded.
 */
export class DeadlineRoundRobinPicker implements Picker {
  readonly #members: readonly MemberIdentity[];
  readonly #weights: readonly number[];
  readonly #began: TurnPosition | undefined;
  /** The place turns are awaited from: `#turn / #of`, and of those exactly there only from member `#from` on. */
  #turn: number;
  #of: number;
  #from: number;
  /** The turn found by the last search, as the k-th of its member. */
  #foundTurn = 0;
  #moved = false;

  /**
   * @param members - In canonical order, at least one.
   * @param weights - Positive integers, in the same order.
   */
  constructor(members: readonly MemberIdentity[], weights: readonly number[], start: TurnStart) {
    this.#members = members;
    this.#weights = weights;
    this.#began = typeof start === 'number' ? undefined : start;
    if (typeof start === 'number') {
      // Offsets number the turns of the first member, then those of the second ...: over all offsets, first picks follow
      // the weights exactly.
      let slot = start % weights.reduce((sum, weight) => sum + weight, 0);
      let member = 0;
      while (slot >= (weights[member] ?? 0)) slot -= weights[member++] ?? 0;
      this.#turn = 2 * slot + 1;
      this.#of = 2 * (weights[member] ?? 1);
      this.#from = member;
    } else {
      this.#turn = start.turn;
      this.#of = start.of;
      this.#from = lowerBound(members, start.next);
    }
  }

  pick(open: MemberSet): number {
    const member = this.peek(open);
    if (member < 0) return -1;
    this.#turn = 2 * this.#foundTurn + 1;
    this.#of = 2 * (this.#weights[member] ?? 1);
    this.#from = member + 1;
    this.#moved = true;
    return member;
  }

  peek(open: MemberSet): number {
    let first = -1;
    let firstTurn = 0;
    let firstWeight = 1;
    for (let i = 0; i < open.size; i++) {
      const member = open.at(i);
      const weight = this.#weights[member] ?? 1;
      const turn = this.#nextTurnOf(member, weight);
      if (first < 0 || (2 * turn + 1) * firstWeight < (2 * firstTurn + 1) * weight) {
        first = member;
        firstTurn = turn;
        firstWeight = weight;
      }
    }
    this.#foundTurn = firstTurn % firstWeight;
    return first;
  }

  position(): TurnPosition | undefined {
    const member = this.peek(new MemberSet(this.#members.length, () => true));
    const next = this.#members[member];
    if (!this.#moved || next === undefined) return this.#began;
    return { next, turn: 2 * this.#foundTurn + 1, of: 2 * (this.#weights[member] ?? 1) };
  }

  /** The member's first turn from the present place on; `weight` or more when it lies in the next revolution. */
  #nextTurnOf(member: number, weight: number): number {
    const ahead = 2 * weight * this.#turn - this.#of;
    const span = 2 * this.#of;
    const turn = member >= this.#from ? Math.ceil(ahead / span) : Math.floor(ahead / span) + 1;
    return Math.max(0, turn);
  }
}
