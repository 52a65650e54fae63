import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseOverlay } from '../src/index.ts';
import { readJson, SHARED_FILES, sharedBytes, sharedFolder, sharedVectors } from './support/vectors.ts';

// Documents kept beside the repository, when they are there. A bare clone tests the same rules in conformance.test.ts.

const fixtures = join(sharedFolder, 'fixtures', 'overlay-contract-v1');

for (const file of SHARED_FILES) {
  const vectors = sharedVectors(file);
  describe.skipIf(vectors.length === 0)(file, () => {
    it.for(vectors)('$id', (vector) => {
      const options = vector.expectedScope === undefined ? {} : { expectedScope: vector.expectedScope };
      const result = parseOverlay(sharedBytes(vector), options);
      if (vector.expect === 'reject') {
        expect(result.ok ? [] : result.issues.map((issue) => issue.code)).toContain(vector.code);
        return;
      }
      const revision = vector.digest ?? vector.revision;
      expect(result).toMatchObject({
        ok: true,
        overlay: {
          ...(revision === undefined ? {} : { revision }),
          ...(vector.policy === undefined ? {} : { selectionPolicy: vector.policy }),
          ...(vector.format === undefined ? {} : { format: vector.format }),
        },
      });
    });
  });
}

interface FixtureExpectation {
  readonly expected: 'accept' | 'accept_legacy' | 'reject';
  readonly reason?: string;
  readonly revision?: string;
}

describe.skipIf(!existsSync(fixtures))('public contract fixtures, v1', () => {
  const listed = existsSync(fixtures)
    ? readJson<{ fixtures: Record<string, FixtureExpectation> }>(join(fixtures, 'manifest.json')).fixtures
    : {};

  it('are listed in their manifest', () => {
    const present = readdirSync(fixtures).filter((file) => file !== 'manifest.json');
    expect(present.toSorted()).toEqual(Object.keys(listed).toSorted());
  });

  it.for(Object.entries(listed))('%s', ([file, { expected, reason, revision }]) => {
    const result = parseOverlay(readFileSync(join(fixtures, file)));
    if (expected === 'reject') {
      expect(result.ok ? [] : result.issues.map((issue) => issue.code)).toContain(reason);
      return;
    }
    const format = expected === 'accept' ? 'envelope' : 'legacy';
    expect(result).toMatchObject({
      ok: true,
      overlay: { format, ...(revision === undefined ? {} : { revision }) },
    });
  });
});
