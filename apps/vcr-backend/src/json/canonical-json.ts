/** How deep a JSON value may nest, in a request or a cassette. Deeper values could exhaust the call stack. */
export const JSON_DEPTH_MAX = 256;

/** A JSON value nests deeper than {@link JSON_DEPTH_MAX}. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError';

  constructor() {
    super(`JSON nests deeper than ${JSON_DEPTH_MAX} levels`);
  }
}

/** Choices of {@link canonicalJson}. */
export interface CanonicalJsonOptions {
  /** Members of the outermost object to leave out. Default: none. */
  readonly omit?: ReadonlySet<string>;
}

/**
 * Writes a parsed JSON value in one fixed way: object members sorted by UTF-16 code units, no white space.
 * Two texts that differ only in key order, white space, escapes or number spelling give the same result.
 *
 * @throws {@link JsonDepthError} when the value nests deeper than {@link JSON_DEPTH_MAX}.
 */
export function canonicalJson(value: unknown, options: CanonicalJsonOptions = {}): string {
  return write(value, options.omit, 1);
}

function write(value: unknown, omit: ReadonlySet<string> | undefined, depth: number): string {
  // `1e999` parses to Infinity, which JSON would write as null: it must not match one.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth > JSON_DEPTH_MAX) throw new JsonDepthError();
  if (Array.isArray(value)) return `[${value.map((item) => write(item, undefined, depth + 1)).join(',')}]`;
  // Sorting by code units, not by locale: the same on every machine.
  const members = Object.keys(value)
    .filter((key) => omit?.has(key) !== true)
    .sort()
    .map(
      (key) =>
        `${JSON.stringify(key)}:${write((value as Record<string, unknown>)[key], undefined, depth + 1)}`,
    );
  return `{${members.join(',')}}`;
}
