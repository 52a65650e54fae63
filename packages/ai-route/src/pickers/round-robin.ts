// Hot path: see bench/select.bench.ts.
import { lowerBound, type MemberIdentity } from '../snapshot/member-order.ts';
import type { MemberSet } from '../snapshot/member-set.ts';
import type { Picker, TurnPosition, TurnStart } from './picker.ts';

/**
 * Turns go round a ring of members in canonical order. What is remembered is *who is next*, not a count: a count taken
 * modulo the number of members changes its meaning whenever that number changes, and one flapping member is enough
 * to hand a neighbour twice its share.
 *
 * A closed member's turn passes by and is given to nobody in particular. Between two picks of one member, every other
 * member that stayed open is picked exactly once, whatever joins, leaves or flaps.
 */
export class RoundRobinPicker implements Picker {
  readonly #members: readonly MemberIdentity[];
  readonly #began: TurnPosition | undefined;
  #next: number;
  #moved = false;

  /** @param members - In canonical order, at least one. */
  constructor(members: readonly MemberIdentity[], start: TurnStart) {
    this.#members = members;
    this.#began = typeof start === 'number' ? undefined : start;
    const next = typeof start === 'number' ? start : lowerBound(members, start.next);
    this.#next = next % members.length;
  }

  pick(open: MemberSet): number {
    const position = this.peek(open);
    if (position < 0) return -1;
    this.#next = position + 1 === this.#members.length ? 0 : position + 1;
    this.#moved = true;
    return position;
  }

  peek(open: MemberSet): number {
    const size = this.#members.length;
    let position = this.#next;
    for (let seen = 0; seen < size; seen++) {
      if (open.has(position)) return position;
      position = position + 1 === size ? 0 : position + 1;
    }
    return -1;
  }

  position(): TurnPosition | undefined {
    const next = this.#members[this.#next];
    if (!this.#moved || next === undefined) return this.#began;
    return { next, turn: this.#next, of: this.#members.length };
  }
}
