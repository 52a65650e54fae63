import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { GridNetwork, GridSite, InferenceProvider, ManifestSource, ObjectMeta } from '../model.ts';
import { networkRuleBreaks } from '../network-rules.ts';
import { didYouMean } from '../text/nearest.ts';
import { attribute, networksOfBroken } from './attribution.ts';
import type { ManifestIssue, ManifestIssueCode } from './issues.ts';
import { API_VERSIONS, OBJECT_SCHEMAS, type WrittenMeta } from './object-schema.ts';
import type { ManifestDocument } from './yaml-documents.ts';
import { fieldIssues } from './zod-issues.ts';

const KINDS = Object.keys(OBJECT_SCHEMAS);

/** An object that is valid by its schema. */
export type GridObject = GridNetwork | GridSite | InferenceProvider;

/** Makes an issue at a path of one document, with file, line and network filled in. */
export type Report = (
  code: ManifestIssueCode,
  path: readonly PropertyKey[],
  message: string,
) => ManifestIssue;

/** What one document came to: an object, or issues, or (a network with a rule break) both. */
export interface ParsedDocument {
  readonly object?: GridObject;
  readonly issues: readonly ManifestIssue[];
  readonly report: Report;
}

/** Validates one document of a file. */
export function parseObject(document: ManifestDocument, file: string): ParsedDocument {
  const { value } = document;
  const report = reporter(document, file);
  if (document.faults.length > 0) return { issues: syntaxIssues(document, file), report };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = 'expected an object with apiVersion, kind, metadata and spec';
    return { issues: [report('not_a_manifest', [], message)], report };
  }
  const header = headerIssue(value, report);
  if (header !== undefined) return { issues: [header], report };
  return { ...parseKind(value, { file, line: document.line }, report), report };
}

type ValidationResult = Omit<ParsedDocument, 'report'>;

function parseKind(value: object, source: ManifestSource, report: Report): ValidationResult {
  const kind: unknown = Reflect.get(value, 'kind');
  if (kind === 'GridNetwork') {
    return validate(OBJECT_SCHEMAS.GridNetwork, value, report, ({ metadata, spec }) => ({
      object: { kind, metadata: resolveMeta(kind, metadata), spec, source },
      issues: networkRuleBreaks(spec).map(({ code, path, message }) => report(code, path, message)),
    }));
  }
  if (kind === 'GridSite') {
    return validate(OBJECT_SCHEMAS.GridSite, value, report, ({ metadata, spec }) => ({
      object: { kind, metadata: resolveMeta(kind, metadata), spec, source },
      issues: [],
    }));
  }
  const provider = 'InferenceProvider';
  return validate(OBJECT_SCHEMAS.InferenceProvider, value, report, ({ metadata, spec }) => ({
    object: { kind: provider, metadata: resolveMeta(provider, metadata), spec, source },
    issues: [],
  }));
}

function reporter(document: ManifestDocument, file: string): Report {
  const attribution = attribute(document.value, document.text, KINDS);
  return (code, path, message) => ({
    code,
    file,
    line: document.lineOf(path),
    path: formatPath(path),
    message,
    ...attribution,
  });
}

function syntaxIssues(document: ManifestDocument, file: string): ManifestIssue[] {
  const networks = networksOfBroken(document.value, document.text);
  const scopes = networks.length === 0 ? [{}] : networks.map((network) => ({ network }));
  return document.faults.flatMap(({ line, message }) =>
    scopes.map((scope) => ({ code: 'yaml_syntax' as const, file, line, path: '', message, ...scope })),
  );
}

function headerIssue(value: object, report: Report): ManifestIssue | undefined {
  const checks = [
    { key: 'apiVersion', known: API_VERSIONS, code: 'unsupported_api_version' as const },
    { key: 'kind', known: KINDS, code: 'unsupported_kind' as const },
  ];
  for (const { key, known, code } of checks) {
    const found: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    if (typeof found === 'string' && known.includes(found)) continue;
    const expected = `expected one of ${known.join(', ')}`;
    if (found === undefined) return report('missing_field', [key], `missing; ${expected}`);
    const text = String(found);
    return report(code, [key], `${expected}; found "${text.slice(0, 100)}".${didYouMean(text, known)}`);
  }
  return undefined;
}

function validate<Written>(
  schema: z.ZodType<Written>,
  value: object,
  report: Report,
  resolve: (written: Written) => ValidationResult,
): ValidationResult {
  const result = schema.safeParse(value);
  if (result.success) return resolve(result.data);
  const found = fieldIssues(result.error, value, schema);
  return { issues: found.map(({ code, path, message }) => report(code, path, message)) };
}

function resolveMeta(kind: GridObject['kind'], written: WrittenMeta): ObjectMeta {
  return {
    name: written.name,
    uid: written.uid ?? derivedUid(kind, written.name),
    generation: written.generation ?? 1,
    labels: written.labels ?? {},
  };
}

/** The same for every file, order and run; of a fixed length, since names may be as long as a uid may be. */
function derivedUid(kind: string, name: string): string {
  return `derived-${createHash('sha256').update(`${kind}/${name}`).digest('hex').slice(0, 32)}`;
}

function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(String(key))) text += text === '' ? String(key) : `.${String(key)}`;
    else text += `[${JSON.stringify(String(key))}]`;
  }
  return text;
}
