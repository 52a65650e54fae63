// Hot path: see bench/select.bench.ts.
import type { Draw } from '../random.ts';
import type { MemberSet } from '../snapshot/member-set.ts';
import type { Picker } from './picker.ts';

/** Every open member exactly as likely as its weight among the open ones: integers throughout, no rounding. */
export class WeightedRandomPicker implements Picker {
  readonly #weights: readonly number[];
  /** `#upTo[i]` is the sum of the weights of members 0 to i. */
  readonly #upTo: Float64Array;
  readonly #draw: Draw;

  /** @param weights - Positive integers, at least one, in the order of the members. */
  constructor(weights: readonly number[], draw: Draw) {
    this.#weights = weights;
    this.#draw = draw;
    let sum = 0;
    this.#upTo = Float64Array.from(weights, (weight) => {
      sum += weight;
      return sum;
    });
  }

  pick(open: MemberSet): number {
    if (open.size === 0) return -1;
    return open.size === this.#weights.length ? this.#pickOfAll() : this.#pickOfOpen(open);
  }

  peek(): number {
    return -1;
  }

  position(): undefined {
    return undefined;
  }

  #pickOfAll(): number {
    const ticket = this.#draw(this.#upTo[this.#upTo.length - 1] ?? 0);
    let low = 0;
    let high = this.#upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#upTo[middle] ?? 0) > ticket) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #pickOfOpen(open: MemberSet): number {
    let total = 0;
    for (let i = 0; i < open.size; i++) total += this.#weights[open.at(i)] ?? 0;
    let ticket = this.#draw(total);
    for (let i = 0; i < open.size; i++) {
      const weight = this.#weights[open.at(i)] ?? 0;
      if (ticket < weight) return open.at(i);
      ticket -= weight;
    }
    return -1;
  }
}
