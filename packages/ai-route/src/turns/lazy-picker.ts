// Hot path: stands between a request and the picker of its group.

import type { Picker, TurnPosition, TurnStart } from '../pickers/picker.ts';
import type { MemberSet } from '../snapshot/member-set.ts';

/** What a lazy picker needs to become one. */
export interface LazyPickerOptions {
  readonly create: (start: TurnStart) => Picker;
  /** Where the rotation begins when there is none to carry on from. */
  readonly offset: () => number;
  /** Whether the policy has turns to carry on with. */
  readonly hasTurns: boolean;
  /** The rotation it carries on from. */
  readonly from: LazyPicker | undefined;
}

/**
 * A picker that comes into being with its first pick. Taking over an overlay of thousands of groups then costs next to
 * nothing, and a rotation takes its place where its predecessor stands when the new one is first used, not where that
 * stood when the overlay was being read.
 */
export class LazyPicker implements Picker {
  readonly #options: LazyPickerOptions;
  #from: LazyPicker | undefined;
  #picker: Picker | undefined;

  constructor(options: LazyPickerOptions) {
    this.#options = options;
    this.#from = options.from;
  }

  pick(open: MemberSet): number {
    return (this.#picker ?? this.#create()).pick(open);
  }

  peek(open: MemberSet): number {
    return (this.#picker ?? this.#create()).peek(open);
  }

  position(): TurnPosition | undefined {
    if (this.#picker !== undefined) return this.#picker.position();
    return this.#options.hasTurns ? this.#from?.position() : undefined;
  }

  /** Carries on from whom its unused predecessor would have carried on from: a chain of them would hold every overlay. */
  shorten(): void {
    const from = this.#from;
    if (from === undefined || from.#picker !== undefined) return;
    this.#from = from.#options.hasTurns ? from.#from : undefined;
  }

  #create(): Picker {
    const { create, offset } = this.#options;
    const picker = create(this.#from?.position() ?? offset());
    this.#picker = picker;
    this.#from = undefined;
    return picker;
  }
}
