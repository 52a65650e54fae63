import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParseOverlayOptions, type ParseOverlayResult, parseOverlay } from '../../src/index.ts';
import { resolveParseOptions } from '../../src/limits.ts';
import { detectFormat, isObject } from '../../src/parse/detect.ts';
import { judgeGood, judgeThoroughly } from '../../src/parse/parse-overlay.ts';
import { checkStructure } from '../../src/parse/structure/check-structure.ts';
import { hasOverlayShape } from '../../src/parse/structure/has-overlay-shape.ts';
import { readText } from '../../src/parse/text/read-text.ts';
import { randomDocument } from '../support/documents.ts';
import { editedDocument } from '../support/edits.ts';

// The quick way through text and structure against the thorough one, which zod, the tree walk and the thorough
// serialiser make up. Whatever the document, both must answer the same: verdict, overlay, and every issue in order.

type Reader = (text: string, options: ParseOverlayOptions) => ParseOverlayResult;

function quick(text: string, options: ParseOverlayOptions): ParseOverlayResult {
  return parseOverlay(Buffer.from(text), options);
}

function thorough(text: string, options: ParseOverlayOptions): ParseOverlayResult {
  const resolved = resolveParseOptions(options);
  const read = readText(Buffer.from(text), resolved);
  return read.ok ? judgeThoroughly(read.document, resolved) : read;
}

function answersAsThorough(reader: Reader, numRuns = 3000): { accepted: number; refused: number } {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(randomDocument, ({ text, options }) => {
      const expected = thorough(text, options);
      seen[expected.ok ? 'accepted' : 'refused']++;
      expect(reader(text, options)).toEqual(expected);
    }),
    { numRuns },
  );
  return seen;
}

describe('the quick way', () => {
  it('answers as the thorough one, accepted and refused documents alike', () => {
    const { accepted, refused } = answersAsThorough(quick, 1000);
    // The generator would be worthless if it made only one kind.
    expect(accepted).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });

  it('is the way of every document that is accepted', () => {
    fc.assert(
      fc.property(randomDocument, ({ text, options }) => {
        const resolved = resolveParseOptions(options);
        const read = readText(Buffer.from(text), resolved);
        if (!read.ok || !judgeThoroughly(read.document, resolved).ok) return;
        expect(judgeGood(read.document, resolved)).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, Reader]>([
    ['repeated members', (text, options) => quick(respelt(text), options)],
    ['numbers beyond a double', (text, options) => quick(text.replaceAll('1e400', '1'), options)],
    ['lone surrogates', (text, options) => quick(text.replaceAll('\\udead', ''), options)],
    ['the limit of candidates', (text, options) => quick(text, { ...options, maxCandidates: 1000 })],
  ])('the property catches a reader that overlooks %s', (_what, reader) => {
    expectCaught(() => answersAsThorough(reader));
  });
});

/** As a reader sees it who trusts JSON.parse, where the last member wins. */
function respelt(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

type Shape = typeof hasOverlayShape;

function agreesWithZod(shape: Shape): void {
  fc.assert(
    fc.property(editedDocument, fc.constantFrom(1, 1000), (root, maxCandidates) => {
      const format = detectFormat(root);
      const issues = checkStructure(format, root, maxCandidates);
      expect(shape(format, root, maxCandidates)).toBe(issues.length === 0);
    }),
    { numRuns: 5000 },
  );
}

/** A predicate that never looks at one member of candidates. */
function blindTo(member: string): Shape {
  return (format, root, maxCandidates) =>
    hasOverlayShape(format, JSON.parse(JSON.stringify(root, without(member))), maxCandidates);
}

function without(member: string): (key: string, value: unknown) => unknown {
  return (key, value) => (key === member ? undefined : value);
}

/** A predicate that does not mind what else stands in a credential. */
function openCredential(...[format, root, maxCandidates]: Parameters<Shape>): boolean {
  const onlyKnown = (key: string, value: unknown): unknown => {
    if (key !== 'credential' || !isObject(value)) return value;
    return { strategy: value['strategy'], secretRef: value['secretRef'] };
  };
  return hasOverlayShape(format, JSON.parse(JSON.stringify(root, onlyKnown)), maxCandidates);
}

describe('hasOverlayShape', () => {
  it('says yes exactly when zod finds nothing', () => {
    agreesWithZod(hasOverlayShape);
  });

  it.each([
    'generated_at',
    'fresh',
    'stable_id',
    'rank',
    'score',
    'score_breakdown',
    'admission_state',
    'selection_tier',
    'selection_group',
    'traffic_weight',
    'credential',
  ])('the property catches a predicate blind to %s', (member) => {
    expectCaught(() => agreesWithZod(blindTo(member)));
  });

  it('the property catches a predicate that lets a credential hold more', () => {
    expectCaught(() => agreesWithZod(openCredential));
  });
});
