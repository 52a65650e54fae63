import { CREDENTIAL_HEADERS } from '@switchyard/proxy-core-http';

/** Every slot that the proxy strips from requests, and those of answers. */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  ...CREDENTIAL_HEADERS,
  'set-cookie',
  'set-cookie2',
  'authentication-info',
  'proxy-authentication-info',
]);

/** What stands in a log in the place of a credential. */
export const REDACTED = '[redacted]';

const MAX_DEPTH = 6;

/**
 * A copy of a log object without the values of credential headers, whatever their case and depth, in objects and in
 * flat `[name, value, name, value]` lists as node's `rawHeaders` has them. Class instances are left as they are.
 */
export function redactCredentials(value: Record<string, unknown>): Record<string, unknown> {
  return redactObject(value, MAX_DEPTH);
}

function redactObject(value: Record<string, unknown>, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    copy[key] = CREDENTIAL_NAMES.has(key.toLowerCase()) ? REDACTED : redactValue(inner, depth - 1);
  }
  return copy;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth <= 0) return value;
  if (Array.isArray(value)) return redactList(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return redactObject(value as Record<string, unknown>, depth);
}

function redactList(list: readonly unknown[], depth: number): unknown[] {
  return list.map((item, index) => {
    const name = list[index - 1];
    const isValue = index % 2 === 1 && typeof name === 'string' && CREDENTIAL_NAMES.has(name.toLowerCase());
    return isValue ? REDACTED : redactValue(item, depth - 1);
  });
}
