/** The only schema version this package reads and writes. */
export const SCHEMA_VERSION = '1.0.0';

/** Members only an envelope has. */
export const ENVELOPE_MEMBERS: readonly string[] = Object.freeze([
  'schema_version',
  'revision',
  'content_digest',
  'scope',
  'provenance',
] as const);

/**
 * Which of the two forms a document has. Any envelope member, even null, means envelope: a broken envelope must never
 * be read as the unscoped legacy form. A member named `overlay` alone means nothing.
 */
export function detectFormat(root: Readonly<Record<string, unknown>>): 'envelope' | 'legacy' {
  return ENVELOPE_MEMBERS.some((member) => Object.hasOwn(root, member)) ? 'envelope' : 'legacy';
}

/** Whether a parsed JSON value is an object (not null, not an array). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
