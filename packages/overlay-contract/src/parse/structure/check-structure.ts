import type { z } from 'zod';
import { describeValue } from '../../errors.ts';
import { type OverlayIssue, pathText, quoted } from '../../issues.ts';
import { isObject, SCHEMA_VERSION } from '../detect.ts';
import { schemaIssues } from './schema.ts';

/**
 * Checks names, types and ranges of every member, all at once. `invalid_field` names a member whose value is not
 * acceptable; `malformed_structure` says that the document has not the shape of an overlay: a member is missing,
 * forbidden or not the container it should be. As the contract's public reason class for all of these is
 * `malformed_structure`, a list of invalid fields closes with it.
 */
export function checkStructure(
  format: 'envelope' | 'legacy',
  root: Readonly<Record<string, unknown>>,
  maxCandidates: number,
): OverlayIssue[] {
  const version = format === 'envelope' ? versionIssue(root) : undefined;
  // Another version may have another shape: judging it by this one would mislead.
  if (version?.code === 'unsupported_schema_version') return [version];

  const count = candidateCount(format, root);
  if (count > maxCandidates) {
    const path = format === 'envelope' ? 'overlay.candidates' : 'candidates';
    const message = `found ${count} candidates; at most ${maxCandidates} are read. Split the network or raise the limit.`;
    return [{ code: 'too_many_candidates', path, message }];
  }

  const issues = new Map<string, OverlayIssue>();
  if (version !== undefined) issues.set(version.path, version);
  for (const found of schemaIssues(format, root)) {
    const issue = toIssue(found, root);
    if (!issues.has(issue.path)) issues.set(issue.path, issue);
  }
  return closed([...issues.values()]);
}

function versionIssue(root: Readonly<Record<string, unknown>>): OverlayIssue | undefined {
  const path = 'schema_version';
  const version = root['schema_version'];
  if (!Object.hasOwn(root, path)) {
    const message = `the document has members of an envelope but no schema_version; expected "${SCHEMA_VERSION}".`;
    return { code: 'missing_schema_version', path, message };
  }
  if (typeof version !== 'string' || version === SCHEMA_VERSION) return undefined;
  const message = `found ${describeValue(version)}; this reader knows "${SCHEMA_VERSION}" only. Upgrade the older side.`;
  return { code: 'unsupported_schema_version', path, message };
}

function candidateCount(format: 'envelope' | 'legacy', root: Readonly<Record<string, unknown>>): number {
  const overlay = format === 'envelope' ? root['overlay'] : root;
  const candidates = isObject(overlay) ? overlay['candidates'] : undefined;
  return Array.isArray(candidates) ? candidates.length : 0;
}

function toIssue(found: z.core.$ZodIssue, root: unknown): OverlayIssue {
  const path = pathText(found.path);
  if (found.code === 'unrecognized_keys') {
    const names = found.keys.slice(0, 5).map(quoted).join(', ');
    const more = found.keys.length > 5 ? ` and ${found.keys.length - 5} more` : '';
    return {
      code: 'malformed_structure',
      path,
      message: `found the unknown members ${names}${more}; nothing may be added here, so that no secret can hide. Remove them.`,
    };
  }
  const value = valueAt(root, found.path);
  if (!value.present)
    return { code: 'malformed_structure', path, message: `missing; expected ${found.message}.` };
  // Nothing inside a credential is quoted: a misplaced secret must not reach a log.
  const secret = found.path.includes('credential');
  const description = secret ? `a value of type ${typeof value.value}` : describeValue(value.value);
  return {
    code: wantsContainer(found) ? 'malformed_structure' : 'invalid_field',
    path,
    message: `found ${description}; expected ${found.message}.`,
  };
}

/** An object or array was expected and is not there, or is there but empty. */
function wantsContainer(found: z.core.$ZodIssue): boolean {
  if (found.code === 'too_small') return found.origin === 'array';
  return found.code === 'invalid_type' && (found.expected === 'object' || found.expected === 'array');
}

function valueAt(root: unknown, path: readonly PropertyKey[]): { present: boolean; value: unknown } {
  let value: unknown = root;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) {
      return { present: false, value: undefined };
    }
    value = (value as Record<PropertyKey, unknown>)[segment];
  }
  return { present: true, value };
}

function closed(issues: OverlayIssue[]): OverlayIssue[] {
  const fields = issues.filter((issue) => issue.code === 'invalid_field').length;
  if (fields === 0 || issues.some((issue) => issue.code === 'malformed_structure')) return issues;
  const message = `the document does not follow the overlay schema: ${fields} invalid field${fields === 1 ? '' : 's'}, listed beside this.`;
  return [...issues, { code: 'malformed_structure', path: '', message }];
}
