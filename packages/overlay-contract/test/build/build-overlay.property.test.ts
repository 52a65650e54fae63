import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADMISSION_STATES, buildOverlay, parseOverlay, type WireCandidate } from '../../src/index.ts';
import { sampleInput } from '../support/samples.ts';

const identifier = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== '' && text.trim() !== '\u0085');
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

const candidate = fc.record({
  kind: fc.constantFrom('inference_model' as const, 'mcp_tool' as const),
  name: identifier,
  site: identifier,
  cluster: identifier,
  fresh: optional(fc.boolean()),
  rank: optional(fc.nat()),
  score: optional(fc.double({ noNaN: true, noDefaultInfinity: true })),
  admission_state: optional(fc.constantFrom(...ADMISSION_STATES)),
  selection_tier: optional(identifier),
});

const extras = fc.dictionary(
  fc.string().map((key) => `x-${key}`),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 3 },
);

const candidates: fc.Arbitrary<WireCandidate[]> = fc
  .uniqueArray(fc.tuple(candidate, extras), {
    minLength: 1,
    maxLength: 6,
    selector: ([each]) => JSON.stringify([each.kind, each.name, each.site, each.cluster]),
  })
  .map((list) => list.map(([each, more], index) => ({ ...each, ...more, stable_id: `id-${index}` })));

/** What must come back: the candidate as written, without what was undefined. */
function written(each: WireCandidate): unknown {
  return JSON.parse(JSON.stringify(each));
}

describe('what is built is read back', () => {
  it('with every additive member, in order', () => {
    fc.assert(
      fc.property(candidates, fc.constantFrom('switchyard' as const, 'praxis' as const), (list, dialect) => {
        const built = buildOverlay(sampleInput({ candidates: list, selectionPolicy: undefined, dialect }));
        for (const text of [built.text, built.legacyText]) {
          const result = parseOverlay(Buffer.from(text));
          if (!result.ok) throw new Error(JSON.stringify(result.issues));
          expect(result.overlay.revision).toBe(built.revision);
          const raw = result.overlay.candidates.map((each) =>
            each.raw['admission_state'] === 'none' ? { ...each.raw, admission_state: 'excluded' } : each.raw,
          );
          expect(raw).toEqual(list.map(written));
          expect(result.overlay.candidates.map((each) => each.admissionState)).toEqual(
            list.map((each) => each.admission_state ?? 'new_and_existing'),
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('and differs whenever the content differs', () => {
    fc.assert(
      fc.property(candidates, candidates, (one, other) => {
        fc.pre(JSON.stringify(one.map(written)) !== JSON.stringify(other.map(written)));
        const revisions = [one, other].map(
          (list) => buildOverlay(sampleInput({ candidates: list, selectionPolicy: undefined })).revision,
        );
        return revisions[0] !== revisions[1];
      }),
      { numRuns: 200 },
    );
  });
});
