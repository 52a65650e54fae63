import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { groupIssues } from '../../../src/parse/meaning/groups.ts';
import type { WireCandidateParsed } from '../../../src/parse/wire.ts';

interface Member {
  readonly name: string;
  readonly group: number | undefined;
  readonly admission: 'new_and_existing' | 'existing_only' | undefined;
}

const member: fc.Arbitrary<Member> = fc.record({
  name: fc.constantFrom('m', 'n'),
  group: fc.constantFrom(0, 0, 0, 1, 1, 2, undefined),
  admission: fc.constantFrom(undefined, undefined, 'new_and_existing', 'existing_only'),
});

function accepts(members: readonly Member[]): boolean {
  const candidates = members.map(
    ({ name, group, admission }, index): WireCandidateParsed => ({
      kind: 'inference_model',
      name,
      site: `s${index}`,
      cluster: 'c',
      ...(group === undefined ? {} : { selection_group: group }),
      ...(admission === undefined ? {} : { admission_state: admission }),
    }),
  );
  return groupIssues({ candidates, path: 'candidates' }).length === 0;
}

/** The rule in other words: the numbers of a capability, runs collapsed, are 0, 1, 2 …, and each run has one admission. */
function isValid(members: readonly Member[]): boolean {
  return ['m', 'n'].every((name) => {
    const own = members.filter((each) => each.name === name);
    if (own.every((each) => each.group === undefined)) return true;
    const runs = own
      .map((each) => each.group)
      .filter((group, index, all) => index === 0 || group !== all[index - 1]);
    if (!runs.every((group, index) => group === index)) return false;
    return runs.every((group) => {
      const admissions = own
        .filter((each) => each.group === group)
        .map((each) => each.admission ?? 'new_and_existing');
      return new Set(admissions).size === 1;
    });
  });
}

function agreesWithRule(accept: (members: readonly Member[]) => boolean): void {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), (members) => accept(members) === isValid(members)),
    { numRuns: 3000 },
  );
}

describe('group numbers', () => {
  it('are accepted exactly when they follow the rule', () => {
    agreesWithRule(accepts);
  });

  it.each([
    [
      'judges capabilities together',
      (members: readonly Member[]) => accepts(members.map((each) => ({ ...each, name: 'm' }))),
    ],
    [
      'ignores admission',
      (members: readonly Member[]) => accepts(members.map((each) => ({ ...each, admission: undefined }))),
    ],
    [
      'sorts first',
      (members: readonly Member[]) => accepts(members.toSorted((a, b) => (a.group ?? 0) - (b.group ?? 0))),
    ],
    [
      'lets members go without',
      (members: readonly Member[]) => accepts(members.filter((each) => each.group !== undefined)),
    ],
  ])('the property catches a reader that %s', (_what, accept) => {
    expectCaught(() => agreesWithRule(accept));
  });
});
