import type { WireCandidate } from '@switchyard/overlay-contract';
import { describe, expect, it } from 'vitest';
import { describeDiff } from '../../src/output/describe-diff.ts';
import type { Screen } from '../../src/output/screen.ts';
import type { OverlayChange } from '../../src/overlay/changes.ts';
import type { LoadedOverlay } from '../../src/overlay/load-overlay.ts';
import { semanticDiff } from '../../src/overlay/semantic-diff.ts';
import { candidate, sample } from '../support/sample.ts';

const screen: Screen = {
  line: () => {},
  tip: () => {},
  paint: (_, text) => text,
  width: Number.POSITIVE_INFINITY,
};

/** The lines between revision and verdict. */
function shown(before: LoadedOverlay, after: LoadedOverlay): string[] {
  const revision = { before: before.overlay.revision, after: after.overlay.revision, changed: true };
  return describeDiff({ changes: semanticDiff(before, after), serving: [], revision }, screen).slice(2, -3);
}

function ranked(
  letters: string,
  more: (letter: string) => Partial<WireCandidate> = () => ({}),
): LoadedOverlay {
  const candidates = [...letters].map((letter, rank) =>
    candidate(letter, { selection_group: 0, rank, ...more(letter) }),
  );
  return sample({ candidates });
}

describe('describeDiff', () => {
  it('puts what one insertion does to the ranks of everybody on one line', () => {
    expect(shown(ranked('bcde'), ranked('abcde'))).toEqual([
      'inference_model demo-model',
      '  + provider-a (site-a)  added to group 0',
      '  ~ 4 candidates         rank changed (each with --json)',
    ]);
    expect(shown(ranked('bcd'), ranked('abcd'))).toHaveLength(5);
  });

  it('never hides a change of routing so', () => {
    const excluded = ranked('abcde', () => ({ admission_state: 'excluded' }));
    const lines = shown(ranked('abcde'), excluded);
    expect(lines.filter((line) => line.includes('admission new_and_existing → excluded'))).toHaveLength(5);
  });

  it('says when a new order has no effect, and when it decides', () => {
    const under = (selectionPolicy: 'deterministic' | 'random', letters: string): LoadedOverlay =>
      sample({
        selectionPolicy,
        candidates: [...letters].map((letter) => candidate(letter, { selection_group: 0 })),
      });
    expect(shown(under('random', 'ab'), under('random', 'ba'))[1]).toBe(
      '  ~ order  provider-a, provider-b → provider-b, provider-a (no effect under this policy)',
    );
    expect(shown(under('deterministic', 'ab'), under('deterministic', 'ba'))[1]).toBe(
      '  ~ order  provider-a, provider-b → provider-b, provider-a',
    );
  });

  it('spells out references, long values and control characters harmlessly', () => {
    const credential = {
      strategy: 'bearer_token',
      secretRef: { name: 's', namespace: 'n', key: 'k' },
    } as const;
    const lines = shown(
      ranked('a'),
      ranked('a', () => ({ credential, x_long: 'x'.repeat(100), x_bell: '\u0007' })),
    );
    expect(lines.slice(1)).toEqual([
      '  ~ provider-a (site-a)  credential none → n/s#k',
      '  ~ provider-a (site-a)  x_bell none → \\u{0007} (additive)',
      `  ~ provider-a (site-a)  x_long none → ${'x'.repeat(60)}… (additive)`,
    ]);
  });

  it('is made for as many changes as an input can hold', () => {
    // With work that grows with the square of their number, this would run into the test's time-out.
    const changes = Array.from(
      { length: 200_000 },
      (_, index): OverlayChange => ({
        type: 'weight',
        effect: 'routing',
        capability: { kind: 'inference_model', name: 'm' },
        member: { site: 's', cluster: `c${index}`, stableId: `${index}` },
        field: 'traffic_weight',
        before: 1,
        after: 2,
      }),
    );
    const revision = { before: 'a', after: 'b', changed: true };
    expect(describeDiff({ changes, serving: [], revision }, screen)).toHaveLength(changes.length + 6);
  });
});
