import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OVERLAY_ISSUE_CODES, parseOverlay, SELECTION_POLICIES } from '../src/index.ts';
import { ownVectors, readJson, type Vector, vectorBytes } from './support/vectors.ts';

const manifest = readJson<{ files: Record<string, number> }>(join(ownVectors, 'manifest.json')).files;

function vectorsOf(file: string): readonly Vector[] {
  return readJson<{ vectors: Vector[] }>(join(ownVectors, file)).vectors;
}

const all = Object.keys(manifest).flatMap(vectorsOf);

describe('the vectors themselves', () => {
  it('are listed: no file is missing, none is forgotten, none shrank', () => {
    const present = readdirSync(ownVectors).filter((file) => file !== 'manifest.json');
    expect(present.toSorted()).toEqual(Object.keys(manifest).toSorted());
    for (const [file, count] of Object.entries(manifest))
      expect([file, vectorsOf(file).length]).toEqual([file, count]);
  });

  it('have ids of their own', () => {
    const ids = all.map((vector) => vector.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('show every reject code and every policy at least once', () => {
    const codes = new Set(all.flatMap((vector) => vector.issues ?? []).map((issue) => issue.split(' ')[0]));
    expect(OVERLAY_ISSUE_CODES.filter((code) => !codes.has(code))).toEqual([]);
    const policies = new Set(all.map((vector) => vector.policy));
    expect(SELECTION_POLICIES.filter((policy) => !policies.has(policy))).toEqual([]);
  });
});

for (const file of Object.keys(manifest)) {
  describe(file, () => {
    it.each(vectorsOf(file).map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
      const result = parseOverlay(vectorBytes(vector), vector.options);
      const issues = result.ok ? [] : result.issues.map((issue) => `${issue.code} @ ${issue.path}`);
      expect({ accepted: result.ok, issues: issues.toSorted() }, vector.why).toEqual({
        accepted: vector.expect === 'accept',
        issues: (vector.issues ?? []).toSorted(),
      });
      if (!result.ok) return;
      const { overlay } = result;
      expect(overlay.revision).toBe(vector.revision);
      expect(overlay.format).toBe(vector.format ?? 'envelope');
      if (vector.policy !== undefined) expect(overlay.selectionPolicy).toBe(vector.policy);
      if (vector.fresh !== undefined)
        expect(overlay.candidates.map((each) => each.fresh)).toEqual(vector.fresh);
      if (vector.admission !== undefined) {
        expect(overlay.candidates.map((each) => each.admissionState)).toEqual(vector.admission);
      }
    });
  });
}
