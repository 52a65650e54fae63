const ALLOWED: ReadonlySet<string> = new Set([
  'cache-control',
  'content-type',
  'openai-model',
  'openai-processing-ms',
  'openai-version',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-request-id',
  'x-should-retry',
]);
const ALLOWED_PREFIX = 'x-ratelimit-';

/**
 * Whether a cassette may hold this response header (lower case). Headers of the connection (lengths, encodings,
 * dates) are made anew at each replay; cookies and account names have no place in a checked-in file.
 */
export function cassetteHeaderNameAllowed(name: string): boolean {
  return ALLOWED.has(name) || (name.startsWith(ALLOWED_PREFIX) && /^[a-z0-9-]+$/.test(name));
}
