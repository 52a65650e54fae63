import { OtlpError } from '../otlp-error.ts';

/** A JSON object whose fields are not known to be right. */
export type JsonObject = Readonly<Record<string, unknown>>;

const UNSIGNED = /^\d{1,20}$/;
const SIGNED = /^-?\d{1,20}$/;
const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

// As in protobuf's JSON, null is the same as absent, and absent is the default. What is of another type is an error
// that names the path; the parts of the path are put in front by `each` on the way out.

/** @throws {@link OtlpError} `malformed`. */
export function objectOf(value: unknown, field: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return wrong(field, 'an object', value);
  return value as JsonObject;
}

/** @throws {@link OtlpError} `malformed`. */
export function stringOf(value: unknown, field: string): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : wrong(field, 'a string', value);
}

/** An enumeration: OTLP allows its number only, not its name. */
export function enumOf(value: unknown, field: string): number {
  if (value === undefined || value === null) return 0;
  return typeof value === 'number' && Number.isInteger(value)
    ? value
    : wrong(field, 'the number of an enumeration', value);
}

/** An unsigned 64-bit integer, written as a decimal string or as a number. */
export function uint64Of(value: unknown, field: string): bigint {
  if (value === undefined || value === null) return 0n;
  const number = bigintOf(value, UNSIGNED);
  return number === undefined || number < 0n || number > MAX_UINT64
    ? wrong(field, 'an unsigned 64-bit integer', value)
    : number;
}

/** A signed 64-bit integer, written as a decimal string or as a number. */
export function int64Of(value: unknown, field: string): bigint {
  const number = bigintOf(value, SIGNED);
  return number === undefined || number < MIN_INT64 || number > MAX_INT64
    ? wrong(field, 'a 64-bit integer', value)
    : number;
}

/** Calls `read` for each object of a list. */
export function each(value: unknown, field: string, read: (item: JsonObject) => void): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) return void wrong(field, 'an array', value);
  for (let index = 0; index < value.length; index++) {
    try {
      read(objectOf(value[index], '') ?? wrong('', 'an object', value[index]));
    } catch (error) {
      throw inside(`${field}[${index}]`, error);
    }
  }
}

/** Puts a part of the path in front of an error's message. */
export function inside(part: string, error: unknown): unknown {
  if (!(error instanceof OtlpError) || error.code !== 'malformed') return error;
  const joint = /^(\[|:)/.test(error.message) ? '' : '.';
  return new OtlpError('malformed', `${part}${joint}${error.message}`, { cause: error.cause });
}

/** @throws {@link OtlpError} `malformed`, always. */
export function wrong(field: string, expected: string, found: unknown): never {
  const shown = typeof found === 'object' ? (Array.isArray(found) ? 'an array' : 'an object') : show(found);
  throw new OtlpError('malformed', `${field}: expected ${expected}, found ${shown}`);
}

function show(found: unknown): string {
  const text = JSON.stringify(found) ?? String(found);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

function bigintOf(value: unknown, pattern: RegExp): bigint | undefined {
  if (typeof value === 'string' && pattern.test(value)) return BigInt(value);
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}
