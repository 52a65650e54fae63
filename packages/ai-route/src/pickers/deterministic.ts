import type { MemberSet } from '../snapshot/member-set.ts';
import type { Picker } from './picker.ts';

/** Always the first open member. */
export class DeterministicPicker implements Picker {
  pick(open: MemberSet): number {
    return open.at(0);
  }

  peek(open: MemberSet): number {
    return open.at(0);
  }

  position(): undefined {
    return undefined;
  }
}
