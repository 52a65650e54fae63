import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlayJsonSchema } from '../schema/json-schema.ts';
import { type OverlayIssueCode, parseOverlay } from '../src/index.ts';
import { randomDocument } from './support/documents.ts';
import { editedDocument } from './support/edits.ts';
import { ownDocuments, type SchemaCase, sharedDocuments } from './support/schema-cases.ts';

const published: unknown = JSON.parse(
  readFileSync(new URL('../schema/overlay-v1.schema.json', import.meta.url), 'utf8'),
);
const isValid = new Ajv({ allErrors: true }).compile(overlayJsonSchema());

/** Codes of the stage a schema can judge. */
const STRUCTURAL: ReadonlySet<OverlayIssueCode> = new Set<OverlayIssueCode>([
  'malformed_structure',
  'invalid_field',
  'missing_schema_version',
  'unsupported_schema_version',
  'invalid_selection_policy',
]);

/** Structural refusals that JSON Schema has no words for. The README lists them. */
const BEYOND: ReadonlyMap<string, string> = new Map([
  ['structure/name-130-umlauts.json', 'a length in bytes'],
  ['structure/rendered-at-february-30.json', 'a time that does not exist'],
  ['structure/rendered-at-hour-24.json', 'a time that does not exist'],
  ['structure/rendered-at-not-leap.json', 'a time that does not exist'],
  ['name-100-emoji', 'a length in bytes'],
]);

describe('the published JSON Schema', () => {
  it('is what the zod schemas say; after a change run: pnpm --filter @switchyard/overlay-contract generate:schema', () => {
    expect(published).toEqual(overlayJsonSchema());
  });

  it('describes every member and shows an example that a reader accepts', () => {
    const { examples } = overlayJsonSchema();
    expect(examples).toHaveLength(1);
    for (const example of examples as unknown[]) {
      expect(isValid(example)).toBe(true);
      expect(parseOverlay(Buffer.from(JSON.stringify(example))).ok).toBe(true);
    }
  });
});

function agree({ id, bytes, options }: SchemaCase): void {
  const result = parseOverlay(bytes, options);
  const codes = result.ok ? [] : result.issues.map((issue) => issue.code);
  const document = parsed(bytes);
  if (document === undefined) return; // text no editor would judge
  if (result.ok) expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
  else if (codes.some((code) => STRUCTURAL.has(code)))
    expect([id, isValid(document)]).toEqual([id, BEYOND.has(id)]);
}

/** The document as JSON.parse has it; undefined when it is none, or one that says a thing twice. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

describe('the schema and the reader agree on structure', () => {
  it.each(ownDocuments().map((each) => [each.id, each] as const))('%s', (_id, each) => {
    agree(each);
  });

  it.each(sharedDocuments().map((each) => [each.id, each] as const))(
    'beside the repository: %s',
    (_id, each) => {
      agree(each);
    },
  );

  it('whatever the document: accepted means valid', () => {
    fc.assert(
      fc.property(randomDocument, ({ text, options }) => {
        if (parseOverlay(Buffer.from(text), options).ok) expect(isValid(JSON.parse(text))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('whatever one edit does to a whole document: valid unless the reader finds its structure wrong, but for bytes and times', () => {
    fc.assert(
      fc.property(editedDocument, (root) => {
        const result = parseOverlay(Buffer.from(JSON.stringify(root)));
        const wrong = !result.ok && result.issues.some((issue) => STRUCTURAL.has(issue.code));
        const beyond = /ü{64}|02-30/.test(JSON.stringify(root));
        if (!beyond) expect(isValid(root)).toBe(!wrong);
      }),
      { numRuns: 3000 },
    );
  });
});
