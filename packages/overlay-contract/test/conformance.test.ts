import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OVERLAY_ISSUE_CODES, parseOverlay, SELECTION_POLICIES } from '../src/index.ts';
import { type Expectation, ownBytes, ownVectors, vectorFolder } from './support/vectors.ts';

const vectors = ownVectors();
const all = [...vectors.values()];

describe('the vectors themselves', () => {
  it('are listed: no file is missing, none is forgotten', () => {
    const present = readdirSync(vectorFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(vectorFolder.length + 1)
          .replaceAll(sep, '/'),
      );
    expect(present.toSorted()).toEqual([...vectors.keys()].toSorted());
  });

  it('say what is expected: a revision or at least one issue', () => {
    const unclear = [...vectors].filter(([, { expect: verdict, revision, issues = [] }]) =>
      verdict === 'accept' ? revision === undefined || issues.length > 0 : issues.length === 0,
    );
    expect(unclear).toEqual([]);
  });

  it('show every reject code and every policy at least once', () => {
    const codes = new Set(all.flatMap((vector) => vector.issues ?? []).map((issue) => issue.split(' ')[0]));
    expect(OVERLAY_ISSUE_CODES.filter((code) => !codes.has(code))).toEqual([]);
    const policies = new Set(all.map((vector) => vector.policy));
    expect(SELECTION_POLICIES.filter((policy) => !policies.has(policy))).toEqual([]);
  });
});

function conforms(file: string, vector: Expectation): void {
  const result = parseOverlay(ownBytes(file), vector.options);
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
  if (vector.fresh !== undefined) expect(overlay.candidates.map((each) => each.fresh)).toEqual(vector.fresh);
  if (vector.admission !== undefined) {
    expect(overlay.candidates.map((each) => each.admissionState)).toEqual(vector.admission);
  }
}

describe('the reader conforms', () => {
  it.each([...vectors])('%s', conforms);
});
