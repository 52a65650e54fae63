import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareBodies } from '../../src/match/first-difference.ts';
import { requestKey } from '../../src/match/request-key.ts';

const ignore: ReadonlySet<string> = new Set(['user']);
// Small alphabets, so that equal and nearly equal pairs are common.
const leaf = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'b'),
  fc.constantFrom(0, 1),
  fc.boolean(),
  fc.constant(null),
);
const { body } = fc.letrec((tie) => ({
  body: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('body'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'user', '__proto__'), tie('body'), { maxKeys: 3 }),
}));

type Compare = (expected: unknown, found: unknown) => number;

const count: Compare = (expected, found) => compareBodies({ expected, found }, ignore).count;
/** Must be caught: takes `undefined` for a missing member and forgets members that only the request has. */
const oneSided: Compare = (expected, found) =>
  typeof expected === 'object' && expected !== null && typeof found === 'object' && found !== null
    ? Object.keys(expected).filter((key) => key !== 'user').length === 0
      ? 0
      : count(expected, found)
    : count(expected, found);

function agreesWithTheKey(compare: Compare): void {
  const keyOf = (value: unknown): string => requestKey({ method: 'POST', path: '/', body: value }, ignore);
  fc.assert(
    fc.property(body, body, (expected, found) => {
      expect(compare(expected, found) === 0).toBe(keyOf(expected) === keyOf(found));
    }),
    { numRuns: 2000 },
  );
}

it('finds a difference exactly when the request keys differ', () => {
  agreesWithTheKey(count);
  expectCaught(() => agreesWithTheKey(oneSided));
});
