import { CANDIDATE_KINDS, type Candidate } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { indexNames, numbersOf } from '../../src/snapshot/name-index.ts';
import { candidate, newStates, overlayWith } from '../support/rotation.ts';

/** Two pairs of names with the same 32-bit FNV-1a hash, and some that have nothing in common. */
const COLLIDING = [
  ['costarring', 'liquid'],
  ['declinate', 'macallums'],
] as const;
const names = fc.constantFrom(...COLLIDING.flat(), 'a', 'ä', '\u{1f600}', '__proto__', 'constructor', '');

const wanted = fc.record({ kind: fc.constantFrom(...CANDIDATE_KINDS), name: names });
const listed = fc.uniqueArray(wanted, { selector: ({ kind, name }) => `${kind} ${name}`, maxLength: 12 });

function snapshotOf(capabilities: readonly Pick<Candidate, 'kind' | 'name'>[]) {
  return buildSnapshot(
    overlayWith(capabilities.map((one, i) => candidate('a', { ...one, stableId: `${i}` }))),
    undefined,
  );
}

describe('the capabilities of a snapshot', () => {
  it('are found by kind and name, those of the same hash included, and nothing else is', () => {
    fc.assert(
      fc.property(listed, fc.array(wanted), (capabilities, questions) => {
        const snapshot = snapshotOf(capabilities);
        for (const { kind, name } of [...questions, ...capabilities]) {
          const expected = capabilities.findIndex((one) => one.kind === kind && one.name === name);
          const found = snapshot.capabilities.find({ kind, name });
          expect(found?.groups[0]?.members[0]?.selected.stableId).toBe(
            expected < 0 ? undefined : `${expected}`,
          );
          expect(snapshot.capabilities.find({ kind, name })).toBe(found);
        }
      }),
    );
  });

  it('are not told apart by their hashes alone', () => {
    for (const [one, other] of COLLIDING)
      expect([...numbersOf(indexNames([one, other]), other)]).toEqual([0, 1]);
  });

  it('are gone through in the order of the plan, whoever was asked for before', () => {
    fc.assert(
      fc.property(listed, fc.array(wanted), (capabilities, questions) => {
        const snapshot = snapshotOf(capabilities);
        const all = () => [...snapshot.capabilities].map(({ kind, name }) => `${kind} ${name}`);
        const before = all();
        for (const question of questions) snapshot.capabilities.find(question);
        expect(all()).toEqual(before);
        expect(before.toSorted()).toEqual(capabilities.map(({ kind, name }) => `${kind} ${name}`).toSorted());
      }),
    );
  });

  it('say whether they are routable, built or not', () => {
    const states = ['new_and_existing', 'existing_only', 'excluded'] as const;
    const members = fc.array(fc.record({ state: fc.constantFrom(...states), known: fc.boolean() }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(members, (list) => {
        const candidates = list.map(({ state, known }, i) =>
          candidate(`s${i}`, { admissionState: state, cluster: known ? 'k' : 'u', selectionGroup: i }),
        );
        const [capability] = buildSnapshot(overlayWith(candidates), new Set(['k'])).capabilities;
        const unbuilt = capability?.routable;
        expect(unbuilt).toBe(list.some(({ state, known }) => known && state === 'new_and_existing'));
        expect(capability?.active !== undefined).toBe(unbuilt);
        expect(capability?.routable).toBe(unbuilt);
      }),
    );
  });
});

it('looking whose turn is next does not make a capability one that was asked for', () => {
  const states = newStates();
  const table = states.adopt(snapshotOf([{ kind: 'inference_model', name: 'a' }]));
  const group = table.snapshot.capabilities.find({ kind: 'inference_model', name: 'a' })?.groups[0];
  if (group === undefined) throw new Error('no group');
  expect(table.nextOf(group, group.open)).toBe(0);
  expect(table.pickersOf(group).turns.pick(group.open)).toBe(0);
  expect(table.nextOf(group, group.open)).toBe(0);
});
