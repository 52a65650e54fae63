import type { RouteDecision } from '@switchyard/ai-route';
import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecisionAttributes } from '../../src/telemetry/decision-attributes.ts';

const candidates = ['a', 'b'].map((cluster, i) => ({
  kind: 'inference_model' as const,
  name: 'model',
  site: `site-${cluster}`,
  cluster,
  stableId: `id-${cluster}`,
  rank: i === 0 ? null : 1,
}));

const decision: fc.Arbitrary<RouteDecision> = fc.record({
  policy: fc.constantFrom('round_robin', 'random'),
  group: fc.constantFrom(null, 0, 1),
  candidate: fc.constantFrom(...candidates),
  admissionState: fc.constantFrom('new_and_existing', 'existing_only'),
  acceptedRevision: fc.constantFrom('r1', 'r2'),
  servingRevision: fc.constantFrom('r1', 'r2'),
  affinity: fc.constantFrom('created', 'reused', 'failed_over', 'disabled'),
  attempt: fc.integer({ min: 1, max: 3 }),
  reason: fc.constantFrom('round_robin', 'affinity'),
  fallthrough: fc.boolean(),
  skipped: fc.constant([]),
});

/** Whatever was asked before, the answer is that of somebody who was asked nothing before. */
function forgetsNothing(make: () => { of(decision: RouteDecision): object }): void {
  fc.assert(
    fc.property(fc.array(decision, { minLength: 1, maxLength: 120 }), (decisions) => {
      const subject = make();
      for (const each of decisions) expect(subject.of(each)).toEqual(new DecisionAttributes().of(each));
    }),
  );
}

describe('DecisionAttributes', () => {
  it('tells each decision as it is', () => forgetsNothing(() => new DecisionAttributes()));

  it('the property catches one that looks at the candidate only', () => {
    expectCaught(() =>
      forgetsNothing(() => {
        const kept = new Map<object, object>();
        return {
          of: (each) => {
            const known = kept.get(each.candidate) ?? new DecisionAttributes().of(each);
            kept.set(each.candidate, known);
            return known;
          },
        };
      }),
    );
  });

  it('hands out the same frozen set for decisions that say the same', () => {
    const subject = new DecisionAttributes();
    const [first] = fc.sample(decision, 1) as [RouteDecision];
    const set = subject.of(first);
    expect(Object.isFrozen(set)).toBe(true);
    expect(subject.of({ ...first, skipped: [] })).toBe(set);
  });
});
