// Hot path: see bench/select.bench.ts.
import { lowerBound, type MemberIdentity } from '../snapshot/member-order.ts';
import type { MemberSet } from '../snapshot/member-set.ts';
import type { Picker, TurnPosition, TurnStart } from './picker.ts';
import { evenSchedule } from './schedule.ts';

/**
 * Turns follow a schedule in which every member appears exactly as often as its weight, spread evenly. Closed members'
 * turns pass by, so the open ones keep their exact proportions. With equal weights this is round robin.
 */
export class WeightedRoundRobinPicker implements Picker {
  readonly #members: readonly MemberIdentity[];
  readonly #schedule: Uint32Array;
  readonly #began: TurnPosition | undefined;
  #turn: number;
  #moved = false;

  /**
   * @param members - In canonical order, at least one.
   * @param weights - Positive integers without a common divisor, in the same order.
   */
  constructor(members: readonly MemberIdentity[], weights: readonly number[], start: TurnStart) {
    this.#members = members;
    this.#schedule = evenSchedule(weights);
    this.#began = typeof start === 'number' ? undefined : start;
    this.#turn = typeof start === 'number' ? start % this.#schedule.length : this.#carryOn(start);
  }

  pick(open: MemberSet): number {
    const turn = this.#nextTurn(open);
    if (turn < 0) return -1;
    this.#turn = turn + 1 === this.#schedule.length ? 0 : turn + 1;
    this.#moved = true;
    return this.#schedule[turn] ?? -1;
  }

  peek(open: MemberSet): number {
    const turn = this.#nextTurn(open);
    return turn < 0 ? -1 : (this.#schedule[turn] ?? -1);
  }

  position(): TurnPosition | undefined {
    const next = this.#members[this.#schedule[this.#turn] ?? 0];
    if (!this.#moved || next === undefined) return this.#began;
    return { next, turn: this.#turn, of: this.#schedule.length };
  }

  #nextTurn(open: MemberSet): number {
    if (open.size === 0) return -1;
    const length = this.#schedule.length;
    let turn = this.#turn;
    for (let seen = 0; seen < length; seen++) {
      if (open.has(this.#schedule[turn] ?? 0)) return turn;
      turn = turn + 1 === length ? 0 : turn + 1;
    }
    return -1;
  }

  /** Of the turns of the member that was next, the one closest to as far round as the other revolution was. */
  #carryOn(from: TurnPosition): number {
    const length = this.#schedule.length;
    const member = lowerBound(this.#members, from.next) % this.#members.length;
    const target = (from.turn * length) / from.of;
    let closest = 0;
    let closestDistance = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < length; turn++) {
      if (this.#schedule[turn] !== member) continue;
      const direct = Math.abs(turn - target);
      const distance = Math.min(direct, length - direct);
      if (distance < closestDistance) {
        closest = turn;
        closestDistance = distance;
      }
    }
    return closest;
  }
}
