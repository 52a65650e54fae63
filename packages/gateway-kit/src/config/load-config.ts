import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { ConfigError, type ConfigIssue, formatPath } from './config-error.ts';
import { knownKeysAt } from './schema-keys.ts';
import { parseYamlSource } from './yaml-source.ts';
import { translateIssues } from './zod-issues.ts';

/** How a config file is to be read. */
export interface ConfigSource<T> {
  /** Judges the data. Use `z.strictObject` so that unknown keys are errors. */
  readonly schema: z.ZodType<T>;
  /** Where `${NAME}` is looked up. Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Reads, expands and validates a YAML (or JSON) config file.
 *
 * `${NAME}` and `${NAME:-default}` are expanded inside scalars before they are typed, so `port: ${PORT}` is a number
 * and `"${PORT}"` stays text. A variable's value never becomes YAML structure. Keys are not expanded.
 *
 * @throws {@link ConfigError} with every issue found: unreadable file, YAML syntax, duplicate keys, unset variables,
 *   and everything the schema refuses.
 */
export function loadConfig<T>(file: string, options: ConfigSource<T>): T {
  const source = parseYamlSource(readText(file), options.env ?? process.env);
  if (source.problems.length > 0) {
    const issues = source.problems.map((problem) => ({ ...problem, file, path: formatPath(problem.path) }));
    throw new ConfigError(file, issues);
  }
  if (source.value === null || source.value === undefined) {
    const keys = knownKeysAt(options.schema, []);
    const expected = keys.length === 0 ? 'a mapping' : `a mapping with: ${keys.join(', ')}`;
    throw new ConfigError(file, [documentIssue(file, `the file is empty, expected ${expected}`)]);
  }
  const result = options.schema.safeParse(source.value, { reportInput: true });
  if (result.success) return result.data;
  throw new ConfigError(file, translateIssues(result.error.issues, { file, source, schema: options.schema }));
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ConfigError(file, [documentIssue(file, readFailure(error))], { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ConfigError(file, [documentIssue(file, 'not valid UTF-8; save the file as UTF-8')], {
      cause: error,
    });
  }
}

function readFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'file not found; check the path given with --config';
    case 'EISDIR':
      return 'is a directory, expected a YAML file';
    case 'EACCES':
    case 'EPERM':
      return 'not readable: permission denied';
    default:
      return `not readable: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function documentIssue(file: string, message: string): ConfigIssue {
  return { file, line: 1, column: 1, path: '', message };
}
