import { describe, expect, it } from 'vitest';
import {
  buildOverlay,
  OverlayContractError,
  parseOverlay,
  SELECTION_POLICIES,
  type WireCandidate,
} from '../../src/index.ts';
import { sampleCandidate, sampleInput } from '../support/samples.ts';

function refusal(build: () => unknown): OverlayContractError {
  try {
    build();
  } catch (error) {
    if (error instanceof OverlayContractError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('buildOverlay', () => {
  it('writes members in reading order, indented, with a final newline', () => {
    const { text, legacyText } = buildOverlay(
      sampleInput({
        candidates: [
          { zone: 'z', rank: 0, cluster: 'c', site: 'harbor', name: 'n', kind: 'mcp_tool', stable_id: 'i' },
        ],
        selectionPolicy: 'deterministic',
        generatedAt: '2026-03-01T08:30:00Z',
      }),
    );
    expect(legacyText).toBe(`{
  "network": "atlas",
  "local_site": "harbor",
  "selection_policy": "deterministic",
  "candidates": [
    {
      "kind": "mcp_tool",
      "name": "n",
      "site": "harbor",
      "cluster": "c",
      "stable_id": "i",
      "rank": 0,
      "zone": "z"
    }
  ],
  "generated_at": "2026-03-01T08:30:00Z"
}
`);
    expect(text).toMatch(/^\{\n {2}"schema_version": "1\.0\.0",\n {2}"revision": \{[\s\S]+\n\}\n$/);
  });

  it('gives both forms one revision, which every reader computes', () => {
    const built = buildOverlay(sampleInput());
    for (const text of [built.text, built.legacyText]) {
      expect(parseOverlay(Buffer.from(text))).toMatchObject({
        ok: true,
        overlay: { revision: built.revision },
      });
    }
    expect(built.envelope).toEqual(JSON.parse(built.text));
  });

  it('omits what is undefined', () => {
    const bare = sampleCandidate('harbor');
    const undefineds = { fresh: undefined, stable_id: undefined, score: undefined, extra: undefined };
    const one = buildOverlay(sampleInput({ candidates: [bare], selectionPolicy: undefined }));
    const other = buildOverlay(
      sampleInput({ candidates: [{ ...bare, ...undefineds }], selectionPolicy: undefined }),
    );
    expect(other.text).toBe(one.text);
  });

  it.each(SELECTION_POLICIES)(
    'writes %s in both dialects; readers see the same policy',
    (selectionPolicy) => {
      const weight = selectionPolicy.startsWith('weighted') ? { traffic_weight: 3 } : {};
      const candidates = [sampleCandidate('harbor', { selection_group: 0, ...weight })];
      const own = buildOverlay(sampleInput({ candidates, selectionPolicy }));
      const praxis = buildOverlay(sampleInput({ candidates, selectionPolicy, dialect: 'praxis' }));
      const camel = selectionPolicy.replace(/_[a-z]/g, (each) => each.charAt(1).toUpperCase());
      expect(JSON.parse(own.legacyText)).toMatchObject({ selection_policy: selectionPolicy });
      expect(JSON.parse(praxis.legacyText)).toHaveProperty('selection_policy', { mode: camel });
      expect(praxis.revision).not.toBe(own.revision);
      expect(parseOverlay(Buffer.from(praxis.text))).toMatchObject({
        ok: true,
        overlay: { selectionPolicy },
      });
    },
  );

  it("writes a closed admission as Praxis' word in its dialect", () => {
    const candidates = [sampleCandidate('harbor', { admission_state: 'excluded' })];
    const input = sampleInput({ candidates, selectionPolicy: undefined });
    expect(buildOverlay(input).text).toContain('"admission_state": "excluded"');
    expect(buildOverlay({ ...input, dialect: 'praxis' }).text).toContain('"admission_state": "none"');
  });

  it('keeps an extra member named __proto__ as data', () => {
    const odd = { ...sampleCandidate('harbor'), ...{ ['__proto__']: { site: 'x' } } };
    const built = buildOverlay(sampleInput({ candidates: [odd], selectionPolicy: undefined }));
    expect(built.text).toContain('"__proto__": {');
  });

  it('shares nothing with the caller', () => {
    const labels = { colour: 'teal' };
    const built = buildOverlay(
      sampleInput({ candidates: [sampleCandidate('harbor', { labels })], selectionPolicy: undefined }),
    );
    labels.colour = 'red';
    expect(JSON.stringify(built.envelope)).toContain('teal');
  });

  it('does not depend on times and provenance', () => {
    const input = sampleInput();
    const later = {
      ...input,
      generatedAt: 'later',
      provenance: { ...input.provenance, sourceGeneration: 13, renderedAt: '2027-01-01T00:00:00Z' },
    };
    expect(buildOverlay(later).revision).toBe(buildOverlay(input).revision);
  });

  it('refuses what a reader would refuse, with every issue', () => {
    const input = sampleInput({
      candidates: [
        sampleCandidate('harbor', { selection_group: 1 }),
        sampleCandidate('harbor', { selection_group: 1 }),
      ],
    });
    const error = refusal(() =>
      buildOverlay({ ...input, provenance: { ...input.provenance, sourceName: 'other' } }),
    );
    expect(error.code).toBe('scope_mismatch');
    expect(error.issues.map((issue) => issue.code)).toEqual([
      'scope_mismatch',
      'group_conflict',
      'duplicate_candidate',
    ]);
    expect(error.message.split('\n')).toHaveLength(3);
  });

  it.each([
    ['a score that is no number', { score: Number.NaN }, 'candidates[0].score'],
    ['an undefined member deep inside', { extra: { deep: undefined } }, 'candidates[0].extra.deep'],
    ['a date', { extra: new Date(0) }, 'candidates[0].extra'],
  ])('refuses %s rather than write something else', (_what, more, path) => {
    const candidate: WireCandidate = { ...sampleCandidate('harbor'), ...more };
    const error = refusal(() => buildOverlay(sampleInput({ candidates: [candidate] })));
    expect(error.issues).toMatchObject([{ code: 'not_canonicalizable', path }]);
  });

  it('refuses no candidates at all, and more than readers take', () => {
    expect(
      refusal(() => buildOverlay(sampleInput({ candidates: [], selectionPolicy: undefined }))).code,
    ).toBe('malformed_structure');
    const candidates = Array.from({ length: 1025 }, (_, index) =>
      sampleCandidate(`s${index}`, { selection_group: 0 }),
    );
    expect(refusal(() => buildOverlay(sampleInput({ candidates }))).code).toBe('too_many_candidates');
    const limits = { maxCandidates: 2000 };
    expect(buildOverlay(sampleInput({ candidates, limits })).revision).toMatch(/^[0-9a-f]{64}$/);
  });
});
