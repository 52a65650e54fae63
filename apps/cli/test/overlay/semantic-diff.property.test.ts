import { buildOverlay } from '@switchyard/overlay-contract';
import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OverlayChange, sameMeaning } from '../../src/overlay/changes.ts';
import type { LoadedOverlay } from '../../src/overlay/load-overlay.ts';
import { semanticDiff } from '../../src/overlay/semantic-diff.ts';
import { overlayRouter } from '../../src/routing/overlay-router.ts';
import { servingChanges } from '../../src/routing/serving.ts';
import { overlayInput } from '../support/arbitrary-overlay.ts';
import { load } from '../support/sample.ts';

type Diff = (before: LoadedOverlay, after: LoadedOverlay) => readonly OverlayChange[];

const overlay: fc.Arbitrary<LoadedOverlay> = overlayInput.map((input) => load(buildOverlay(input).text));

type Json = Readonly<Record<string, unknown>>;

/** One small edit of a payload; many break a rule and are then drawn again. */
const edit: fc.Arbitrary<(payload: Json) => Json> = fc.oneof(
  fc
    .constantFrom('round_robin', 'random', { mode: 'random' }, 'deterministic')
    .map((policy) => (payload: Json) => ({ ...payload, selection_policy: policy })),
  fc
    .integer({ min: 1, max: 1000 })
    .map((at) => onCandidates((all) => all.filter((_, index) => index !== at % all.length))),
  fc
    .nat(1000)
    .map((at) => onCandidates((all) => [...all.slice(at % all.length), ...all.slice(0, at % all.length)])),
  fc
    .jsonValue({ maxDepth: 1 })
    .map((x_note) => onCandidates(([first, ...rest]) => [{ ...first, x_note }, ...rest])),
);

function onCandidates(change: (candidates: readonly Json[]) => readonly Json[]): (payload: Json) => Json {
  return (payload) => ({ ...payload, candidates: change(payload['candidates'] as readonly Json[]) });
}

/** Two overlays: unrelated, or one that is an edit of the other. */
const pair: fc.Arbitrary<readonly [LoadedOverlay, LoadedOverlay]> = fc.oneof(
  fc.tuple(overlay, overlay),
  fc
    .tuple(overlay, edit, fc.boolean())
    .map(([each, change, swapped]) => {
      const [before, after] = [loadBare(each.payload), loadBare(change(each.payload))];
      return swapped ? ([after, before] as const) : ([before, after] as const);
    })
    .filter((both): both is [LoadedOverlay, LoadedOverlay] => !both.includes(undefined)),
);

/** Undefined when an edit has broken a rule, such as the order of groups. */
function loadBare(payload: Json): LoadedOverlay | undefined {
  try {
    return load(JSON.stringify(payload));
  } catch {
    return undefined;
  }
}

/** Outside the digest. */
const UNHASHED: readonly OverlayChange['type'][] = ['metadata', 'scope', 'format'];

/** The revision moves exactly when a change is listed that the digest covers. */
function revisionProperty(diff: Diff, parameters: fc.Parameters<unknown> = {}): void {
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const moved = before.overlay.revision !== after.overlay.revision;
      expect(diff(before, after).some(({ type }) => !UNHASHED.includes(type))).toBe(moved);
    }),
    { numRuns: 300, ...parameters },
  );
}

const without =
  (type: OverlayChange['type']): Diff =>
  (before, after) =>
    semanticDiff(before, after).filter((change) => change.type !== type);

describe('semanticDiff', () => {
  it('of an overlay with itself is empty', () => {
    fc.assert(
      fc.property(overlay, (each) => {
        expect(semanticDiff(each, each)).toEqual([]);
      }),
    );
  });

  it('lists a hashed change exactly when the revision moves', () => {
    revisionProperty(semanticDiff);
  });

  it.each(['order', 'additive_field', 'policy', 'member_added', 'member_removed'] as const)(
    'would be caught if it forgot %s',
    (type) => {
      expectCaught(() => revisionProperty(without(type), { endOnFailure: true }));
    },
  );

  it('says the same both ways round, with before and after exchanged', () => {
    const MIRROR: Readonly<Record<string, string>> = {
      member_added: 'member_removed',
      member_removed: 'member_added',
    };
    const summary = (changes: readonly OverlayChange[], mirrored: boolean): string[] =>
      changes
        .map(({ type, effect, field, before, after }) =>
          JSON.stringify(
            mirrored
              ? [MIRROR[type] ?? type, effect, field, after, before]
              : [type, effect, field, before, after],
          ),
        )
        .sort();
    fc.assert(
      fc.property(pair, ([before, after]) => {
        expect(summary(semanticDiff(before, after), false)).toEqual(
          summary(semanticDiff(after, before), true),
        );
      }),
    );
  });

  it('finds the same meaning only where the router serves the same', async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ([before, after]) => {
        const changes = semanticDiff(before, after);
        if (changes.some(({ effect }) => effect === 'routing')) return;
        const [old, young] = await Promise.all([overlayRouter(before.overlay), overlayRouter(after.overlay)]);
        expect(servingChanges([...old.routes()], [...young.routes()])).toEqual([]);
      }),
    );
  });

  it('takes other provenance and another dialect for the same meaning', () => {
    fc.assert(
      fc.property(overlayInput, (input) => {
        const before = load(buildOverlay({ ...input, dialect: 'switchyard' }).text);
        const provenance = { ...input.provenance, renderedAt: '2027-01-01T00:00:00Z' };
        const after = load(buildOverlay({ ...input, provenance, dialect: 'praxis' }).text);
        const changes = semanticDiff(before, after);
        expect(changes.map(({ field }) => field)).toContain('provenance.rendered_at');
        expect(sameMeaning(changes)).toBe(true);
      }),
    );
  });
});
