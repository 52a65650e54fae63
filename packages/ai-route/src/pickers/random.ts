// Hot path: see bench/select.bench.ts.
import type { Draw } from '../random.ts';
import type { MemberSet } from '../snapshot/member-set.ts';
import type { Picker } from './picker.ts';

/**
 * Every open member equally likely. The draw is over the open members alone: drawing over all and stepping on to the
 * next open one would give a closed member's share to its neighbour.
 */
export class RandomPicker implements Picker {
  readonly #draw: Draw;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  pick(open: MemberSet): number {
    return open.size === 0 ? -1 : open.at(this.#draw(open.size));
  }

  peek(): number {
    return -1;
  }

  position(): undefined {
    return undefined;
  }
}
