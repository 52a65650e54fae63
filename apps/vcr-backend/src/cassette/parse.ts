import type { z } from 'zod';
import { JsonDepthError } from '../json/canonical-json.ts';
import { describeValue } from '../json/describe-value.ts';
import { jsonPath } from '../json/json-path.ts';
import { CASSETTE_SCHEMA_VERSION, type Cassette, type CassetteDocument, cassetteSchema } from './format.ts';
import { contentHash } from './hash.ts';

/** Why one cassette file was refused. */
export interface CassetteIssue {
  /** Place inside the document, such as `response.chunks[2].offsetMs`; empty for the whole file. */
  readonly path: string;
  /** What was found and what was expected. */
  readonly message: string;
}

/** A verified cassette, or every reason against it. */
export type ParseCassetteResult =
  | { readonly ok: true; readonly cassette: Cassette }
  | { readonly ok: false; readonly issues: readonly CassetteIssue[] };

/** Reads and verifies one cassette file: JSON, version, shape, content hash. Never throws. */
export function parseCassette(bytes: Uint8Array): ParseCassetteResult {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `not JSON: ${error.message}` : 'not UTF-8';
    return refuse({ path: '', message: reason });
  }
  const version = versionIssue(document);
  if (version !== undefined) return refuse(version);

  let hash: string;
  try {
    // First, because it is also the depth guard for everything below.
    hash = contentHash(document);
  } catch (error) {
    if (error instanceof JsonDepthError) return refuse({ path: '', message: error.message });
    throw error;
  }
  const parsed = cassetteSchema.safeParse(document, { reportInput: true });
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.flatMap(toIssues) };
  if (parsed.data.contentHash !== hash) {
    const message = `the content was changed after it was sealed: the file says ${parsed.data.contentHash}, its content has ${hash}. Restore it, or seal it again (tools/seal-cassette.mjs)`;
    return refuse({ path: 'contentHash', message });
  }
  return { ok: true, cassette: toCassette(parsed.data) };
}

function refuse(issue: CassetteIssue): ParseCassetteResult {
  return { ok: false, issues: [issue] };
}

/** A cassette of another version gets one clear sentence, not a list of unknown keys. */
function versionIssue(document: unknown): CassetteIssue | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return { path: '', message: 'expected a JSON object' };
  }
  const found = (document as Record<string, unknown>)['schemaVersion'];
  if (found === CASSETTE_SCHEMA_VERSION) return undefined;
  const what = found === undefined ? 'missing' : `found ${JSON.stringify(found)}`;
  return { path: 'schemaVersion', message: `${what}, this version reads ${CASSETTE_SCHEMA_VERSION} only` };
}

function toIssues(issue: z.core.$ZodIssue): CassetteIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: jsonPath([...issue.path, key]), message: 'unknown key' }));
  }
  const path = jsonPath(issue.path);
  if (issue.code !== 'invalid_type') return [{ path, message: issue.message }];
  // JSON has no undefined: a value of that type is a member that isn't there.
  if (issue.input === undefined) return [{ path, message: 'missing' }];
  return [{ path, message: `expected ${issue.expected}, found ${describeValue(issue.input)}` }];
}

function toCassette(document: CassetteDocument): Cassette {
  const { match } = document.request;
  const chunks = document.response.chunks.map((chunk) => ({
    offsetMs: chunk.offsetMs,
    bytes:
      chunk.text === undefined ? Buffer.from(chunk.base64 ?? '', 'base64') : Buffer.from(chunk.text, 'utf8'),
  }));
  return {
    id: document.id,
    recordedAt: document.recordedAt,
    source: document.source,
    match: { method: match.method, path: match.path, body: match.body },
    response: {
      status: document.response.status,
      headers: document.response.headers,
      chunks,
      byteLength: chunks.reduce((sum, chunk) => sum + chunk.bytes.byteLength, 0),
    },
  };
}
