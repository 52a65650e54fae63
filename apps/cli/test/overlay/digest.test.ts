import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOverlay, parseOverlay } from '@switchyard/overlay-contract';
import { repositoryRoot } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestReport } from '../../src/overlay/digest.ts';
import { overlayInput } from '../support/arbitrary-overlay.ts';
import { sampleInput, sampleText } from '../support/sample.ts';

const report = (text: string): ReturnType<typeof digestReport> => digestReport(Buffer.from(text));
const { revision, text, legacyText } = buildOverlay(sampleInput());

describe('digestReport', () => {
  it('agrees with the contract on every valid overlay', () => {
    fc.assert(
      fc.property(overlayInput, (input) => {
        const built = buildOverlay(input);
        expect(report(built.text)).toMatchObject({ report: { computed: built.revision, agrees: true } });
        expect(report(built.legacyText)).toMatchObject({
          report: { computed: built.revision, agrees: null },
        });
      }),
    );
  });

  it('hashes what was edited, and says which claims are wrong', () => {
    const edited = text.replace('provider-b', 'provider-x');
    const candidates = sampleInput().candidates.map((each) =>
      each.cluster === 'provider-b' ? { ...each, cluster: 'provider-x' } : each,
    );
    expect(report(edited)).toEqual({
      ok: true,
      report: {
        format: 'envelope',
        computed: buildOverlay(sampleInput({ candidates })).revision,
        claimed: { revision, contentDigest: revision },
        agrees: false,
      },
    });
  });

  it('hashes documents that are invalid in other ways, and those that claim nothing', () => {
    const envelope = JSON.parse(text) as Record<string, unknown>;
    const claimless = { ...envelope, revision: 7, content_digest: null, schema_version: '9' };
    expect(report(JSON.stringify(claimless))).toMatchObject({
      report: { computed: revision, claimed: { revision: null, contentDigest: null }, agrees: false },
    });
    const many = Array.from({ length: 1500 }, (_, index) => ({ index }));
    expect(report(JSON.stringify({ local_site: 'x', candidates: many })).ok).toBe(true);
  });

  it.each([
    ['{"local_site": "a", "local_site": "b"}', 'duplicate_key'],
    ['{"candidates": [', 'malformed_json'],
    ['[]', 'malformed_structure'],
    ['{"schema_version": "1.0.0", "overlay": []}', 'malformed_structure'],
    ['{"local_site": "\\ud800", "candidates": []}', 'not_canonicalizable'],
  ])('finds no content in %s: %s', (document, code) => {
    const result = report(document);
    expect(result.ok ? [] : result.issues.map((issue) => issue.code)).toContain(code);
  });

  it('takes a document for an envelope exactly when the contract does', () => {
    expect(report(legacyText)).toMatchObject({ report: { format: 'legacy' } });
    for (const member of ['schema_version', 'revision', 'content_digest', 'scope', 'provenance']) {
      const hybrid = { ...(JSON.parse(legacyText) as object), [member]: null };
      expect(report(JSON.stringify(hybrid)).ok).toBe(false);
      expect(parseOverlay(Buffer.from(JSON.stringify(hybrid))).ok).toBe(false);
    }
  });

  const fixtures = join(repositoryRoot(), '../shared/fixtures/overlay-contract-v1');
  it.skipIf(!existsSync(fixtures))('agrees with the contract on the public v1 fixtures', () => {
    for (const name of readdirSync(fixtures).filter((each) => each !== 'manifest.json')) {
      const bytes = readFileSync(join(fixtures, name));
      const parsed = parseOverlay(bytes);
      const result = digestReport(bytes);
      if (!parsed.ok) continue;
      const { format } = parsed.overlay;
      expect(result).toMatchObject({ ok: true, report: { computed: parsed.overlay.revision, format } });
    }
  });

  it('keeps a wrong claim as it is written', () => {
    const wrong = sampleText().replaceAll(revision, 'not-a-digest');
    expect(report(wrong)).toMatchObject({ report: { claimed: { revision: 'not-a-digest' }, agrees: false } });
  });
});
