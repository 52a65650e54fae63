import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OVERLAY_ISSUE_CODES, type ParseOverlayResult, parseOverlay } from '../../src/index.ts';
import { sampleText } from '../support/samples.ts';

const codes = new Set<string>(OVERLAY_ISSUE_CODES);
const text = sampleText({ generatedAt: '2026-03-01T08:30:00Z' });
const revision = parseOverlay(Buffer.from(text)).ok ? revisionOf(parseOverlay(Buffer.from(text))) : '';

function revisionOf(result: ParseOverlayResult): string {
  return result.ok ? result.overlay.revision : JSON.stringify(result.issues);
}

function isWellFormedResult(result: ParseOverlayResult): boolean {
  if (result.ok)
    return /^[0-9a-f]{64}$/.test(result.overlay.revision) && result.overlay.candidates.length > 0;
  return (
    result.issues.length > 0 && result.issues.every((issue) => codes.has(issue.code) && issue.message !== '')
  );
}

describe('parseOverlay never throws and never answers nothing', () => {
  it('on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => isWellFormedResult(parseOverlay(bytes))),
    );
  });

  it('on arbitrary JSON', () => {
    const json = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.json().map((each) => `{"overlay":${each},"scope":${each}}`),
    );
    fc.assert(fc.property(json, (each) => isWellFormedResult(parseOverlay(Buffer.from(each)))));
  });

  it('on an envelope with bytes replaced, removed and inserted', () => {
    const edit = fc.record({
      at: fc.nat({ max: text.length - 1 }),
      remove: fc.nat({ max: 12 }),
      insert: fc.oneof(
        fc.constantFrom('"', '{', '}', ',', ':', '\\', '\\ud800', 'null', '1e999', '[]'),
        fc.string(),
      ),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        let broken = text;
        for (const { at, remove, insert } of edits)
          broken = broken.slice(0, at) + insert + broken.slice(at + remove);
        return isWellFormedResult(parseOverlay(Buffer.from(broken)));
      }),
      { numRuns: 2000 },
    );
  });

  it('on an envelope with any value replaced by any other', () => {
    const paths = pathsOf(JSON.parse(text));
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 }), (path, value) => {
        const replaced = replaceAt(JSON.parse(text), path, value);
        return isWellFormedResult(parseOverlay(Buffer.from(JSON.stringify(replaced))));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the digest covers routing content and nothing else', () => {
  const hashed = pathsOf(JSON.parse(text)).filter(
    ([top, member]) => top === 'overlay' && member !== undefined && member !== 'generated_at',
  );

  it('so spelling does not change the revision: order, white space, escapes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat({ max: 9 })), (choices) => {
        const respelt = respell(JSON.parse(text), () => choices.next().value ?? 0);
        expect(revisionOf(parseOverlay(Buffer.from(respelt)))).toBe(revision);
      }),
    );
  });

  it('so no hashed value can be changed unnoticed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...hashed), fc.jsonValue({ maxDepth: 1 }), (path, value) => {
        const before: unknown = JSON.parse(text);
        const after = replaceAt(JSON.parse(text), path, value);
        fc.pre(JSON.stringify(before) !== JSON.stringify(after));
        return !parseOverlay(Buffer.from(JSON.stringify(after))).ok;
      }),
      { numRuns: 1000 },
    );
  });
});

function pathsOf(value: unknown, at: PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...at, key]))];
}

function replaceAt(root: unknown, path: readonly PropertyKey[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const holder = root as Record<PropertyKey, unknown>;
  holder[first] = replaceAt(holder[first], rest, value);
  return holder;
}

/** Another text for the same value. */
function respell(value: unknown, choose: () => number): string {
  const space = () => ['', ' ', '\n', '\t', '\r\n'][choose()] ?? '';
  if (Array.isArray(value))
    return `[${space()}${value.map((each) => respell(each, choose)).join(`${space()},`)}${space()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, each]: [string, unknown]) => ({
      sort: choose(),
      key,
      each,
    }));
    members.sort((a, b) => a.sort - b.sort);
    const texts = members.map(
      ({ key, each }) => `${respell(key, choose)}${space()}:${space()}${respell(each, choose)}`,
    );
    return `{${space()}${texts.join(`,${space()}`)}${space()}}`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  const letters = Array.from({ length: value.length }, (_, index) => {
    const unit = value.charCodeAt(index);
    return choose() === 0
      ? `\\u${unit.toString(16).padStart(4, '0')}`
      : JSON.stringify(value.charAt(index)).slice(1, -1);
  });
  return `"${letters.join('')}"`;
}
