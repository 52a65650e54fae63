import type { z } from 'zod';
import { didYouMean } from '../text/nearest.ts';
import type { ManifestIssueCode } from './issues.ts';

type Path = readonly PropertyKey[];
type SchemaNode = z.core.$ZodTypes;

/** A schema violation with its place, before it is tied to a file. */
export interface FieldIssue {
  readonly code: ManifestIssueCode;
  readonly path: Path;
  readonly message: string;
}

/** Translates zod's findings about `value` into sentences that name what was found and what was expected. */
export function fieldIssues(error: z.ZodError, value: unknown, schema: z.ZodType): FieldIssue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const known = knownKeys(schema, issue.path);
      return issue.keys.map((key) => unknownField(issue.path, key, known));
    }
    return [fieldIssue(issue, valueAt(value, issue.path))];
  });
}

function unknownField(path: Path, key: string, known: readonly string[]): FieldIssue {
  return {
    code: 'unknown_field',
    path: [...path, key],
    message: `unknown field "${key}".${didYouMean(key, known)} Known here: ${known.join(', ')}`,
  };
}

function fieldIssue(issue: z.core.$ZodIssue, found: unknown): FieldIssue {
  const { path } = issue;
  if (found === undefined) return { code: 'missing_field', path, message: `missing; ${expectation(issue)}` };
  const hint =
    issue.code === 'invalid_value' && typeof found === 'string' ? didYouMean(found, names(issue)) : '';
  const quote = issue.code === 'invalid_type' && issue.expected === 'string' && isScalar(found);
  const advice = quote ? ' Put it in quotes.' : '';
  return {
    code: 'invalid_field',
    path,
    message: `${expectation(issue)}; found ${describe(found, path)}.${hint}${advice}`,
  };
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return `expected ${issue.expected === 'record' ? 'object' : issue.expected}`;
  if (issue.code === 'invalid_value') return `expected one of ${names(issue).join(', ')}`;
  return issue.message;
}

function names(issue: z.core.$ZodIssueInvalidValue): string[] {
  return issue.values.map(String);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

const SHOWN_CHARACTERS = 60;

/** The value for a message; only its type where a secret could have been pasted by mistake. */
function describe(value: unknown, path: Path): string {
  if (value === null) return 'null (an empty value)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  // A URL can carry user information, and anything below auth may be a token in the wrong place.
  if (typeof value === 'string' && path.some((key) => key === 'auth' || /endpoint/i.test(String(key)))) {
    return 'a text that is not shown here';
  }
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = Reflect.get(current, key);
  }
  return current;
}

/** The field names the schema knows at a path, for the hint; empty where it isn't a strict object. */
function knownKeys(schema: z.ZodType, path: Path): string[] {
  let node: SchemaNode | undefined = inner(schema);
  for (const key of path) {
    if (node === undefined) return [];
    const { def }: SchemaNode['_zod'] = node._zod;
    if (def.type === 'object') node = inner(def.shape[String(key)]);
    else if (def.type === 'array') node = inner(def.element);
    else return [];
  }
  const def = node?._zod.def;
  return def?.type === 'object' ? Object.keys(def.shape) : [];
}

/** Steps through wrappers such as optional and default. */
function inner(schema: z.core.$ZodType | undefined): SchemaNode | undefined {
  let node = schema as SchemaNode | undefined;
  while (node !== undefined && 'innerType' in node._zod.def) node = node._zod.def.innerType as SchemaNode;
  return node;
}
