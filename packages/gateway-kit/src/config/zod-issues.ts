import { z } from 'zod';
import { nearest } from '../text/nearest.ts';
import { type ConfigIssue, formatPath } from './config-error.ts';
import { describeValue, mayBeShown } from './describe-value.ts';
import { expectedWords } from './expected-words.ts';
import { knownKeysAt } from './schema-keys.ts';
import type { Position, YamlSource } from './yaml-source.ts';

/** What the translation of one file's issues needs. */
export interface IssueContext {
  readonly file: string;
  readonly source: YamlSource;
  readonly schema: z.core.$ZodType;
}

interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly suggestion?: string | undefined;
  readonly atKey?: boolean;
}

/** zod's issues, in our words and with their place in the file. */
export function translateIssues(issues: readonly z.core.$ZodIssue[], context: IssueContext): ConfigIssue[] {
  return issues.flatMap((issue) => findings(issue, [], context)).map((finding) => place(finding, context));
}

function place(finding: Finding, { file, source }: IssueContext): ConfigIssue {
  const at: Position = finding.atKey === true ? source.locateKey(finding.path) : source.locate(finding.path);
  const { path, message, suggestion } = finding;
  return {
    file,
    line: at.line,
    column: at.column,
    path: formatPath(path),
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function findings(issue: z.core.$ZodIssue, base: readonly PropertyKey[], context: IssueContext): Finding[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, path, context));
  if (issue.code === 'custom') return [customFinding(issue, path)];
  const found = foundAt(issue, path, context);
  if (issue.code === 'invalid_union') return unionFindings(issue, path, context);
  if (issue.code === 'invalid_key') {
    const reason = issue.issues[0]?.message ?? 'not allowed here';
    return [{ path, message: `this key is not usable: ${reason}`, atKey: true }];
  }
  const own = authorsMessage(issue);
  if (own !== undefined) return [{ path, message: found === 'nothing' ? own : `${own}, found ${found}` }];
  const expected = expectedWords(issue);
  if (found === 'nothing') return [{ path, message: `missing, expected ${expected}` }];
  const suggestion = valueSuggestion(issue);
  const quote = quotingHint(issue, path, context);
  return [{ path, message: `expected ${expected}, found ${found}${quote}`, suggestion }];
}

function unknownKey(key: string, path: readonly PropertyKey[], context: IssueContext): Finding {
  const known = knownKeysAt(context.schema, path);
  const [suggestion] = nearest(key, known);
  const list = suggestion === undefined && known.length > 0 ? `; known here: ${known.join(', ')}` : '';
  return { path: [...path, key], message: `unknown key${list}`, suggestion, atKey: true };
}

function customFinding(issue: z.core.$ZodIssueCustom, path: readonly PropertyKey[]): Finding {
  const suggestion: unknown = issue.params?.['suggestion'];
  return {
    path,
    message: issue.message,
    suggestion: typeof suggestion === 'string' ? suggestion : undefined,
  };
}

/** A union fails as a whole; the alternative that got furthest is the one its author most likely meant. */
function unionFindings(
  issue: z.core.$ZodIssueInvalidUnion,
  path: readonly PropertyKey[],
  context: IssueContext,
): Finding[] {
  const own = authorsMessage(issue);
  const found = foundAt(issue, path, context);
  if (own !== undefined) return [{ path, message: `${own}, found ${found}` }];
  if (issue.discriminator !== undefined && 'options' in issue && issue.options !== undefined) {
    const names = issue.options.map(String);
    const value = valueAt(context.source.value, path);
    const suggestion = typeof value === 'string' ? nearest(value, names)[0] : undefined;
    const expected = `expected one of ${names.map((name) => JSON.stringify(name)).join(', ')}`;
    return [
      {
        path,
        message: value === undefined ? `missing, ${expected}` : `${expected}, found ${found}`,
        suggestion,
      },
    ];
  }
  const typeErrors = issue.errors
    .flat()
    .filter((one) => one.code === 'invalid_type' && one.path.length === 0);
  const shaped = issue.errors.filter(
    (errors) => !errors.some((one) => one.code === 'invalid_type' && one.path.length === 0),
  );
  const [best] = [...shaped].sort((a, b) => a.length - b.length);
  if (best !== undefined) return best.flatMap((one) => findings(one, path, context));
  const expected = [...new Set(typeErrors.map((one) => expectedWords(one)))].join(' or ');
  const wanted = expected === '' ? 'another shape' : expected;
  return [
    {
      path,
      message: found === 'nothing' ? `missing, expected ${wanted}` : `expected ${wanted}, found ${found}`,
    },
  ];
}

function valueSuggestion(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_value' || typeof issue.input !== 'string') return undefined;
  return nearest(issue.input, issue.values.map(String))[0];
}

/** `apiKey: ${KEY}` with an all-digits key reads as a number: say how to keep it text. */
function quotingHint(
  issue: z.core.$ZodIssue,
  path: readonly PropertyKey[],
  { source }: IssueContext,
): string {
  if (issue.code !== 'invalid_type' || issue.expected !== 'string') return '';
  const value = valueAt(source.value, path);
  if (typeof value !== 'number' && typeof value !== 'boolean') return '';
  const envReference = source.envReference(path);
  if (envReference !== undefined) return `; put it in quotes: "${envReference}"`;
  return mayBeShown({ path, envReference }) ? `; put it in quotes: "${String(value)}"` : '; put it in quotes';
}

function foundAt(issue: z.core.$ZodIssue, path: readonly PropertyKey[], { source }: IssueContext): string {
  // A transformed or defaulted value is not what stands in the file: prefer what does.
  const value = valueAt(source.value, path) ?? issue.input;
  return describeValue(value, { path, envReference: source.envReference(path) });
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[segment];
  }
  return value;
}

/** The message a schema's author wrote, or undefined when it is zod's own. */
function authorsMessage(issue: z.core.$ZodIssue): string | undefined {
  const standard = z.locales.en().localeError(issue as z.core.$ZodRawIssue);
  const text = typeof standard === 'object' && standard !== null ? standard.message : standard;
  return text === issue.message ? undefined : issue.message;
}
