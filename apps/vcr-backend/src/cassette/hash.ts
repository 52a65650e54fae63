import { createHash } from 'node:crypto';
import { canonicalJson } from '../json/canonical-json.ts';

const HASH_FIELD: ReadonlySet<string> = new Set(['contentHash']);

/**
 * The content hash of a cassette document: `sha256:` and 64 hex digits over its canonical JSON without the
 * `contentHash` member. Key order and layout of the file don't matter; every value does.
 *
 * @throws `JsonDepthError` when the document nests too deeply.
 */
export function contentHash(document: unknown): string {
  const text = canonicalJson(document, { omit: HASH_FIELD });
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/**
 * The text of a cassette file: keys sorted, two spaces, one final newline, `contentHash` computed anew.
 *
 * @throws `JsonDepthError` when the document nests too deeply.
 */
export function sealCassette(document: Readonly<Record<string, unknown>>): string {
  const sealed = { ...document, contentHash: contentHash(document) };
  return `${JSON.stringify(JSON.parse(canonicalJson(sealed)), null, 2)}\n`;
}
