import type { Attributes, AttributeValue, SpanKind, SpanStatus } from '../../model/span.ts';

/** Attributes while they are being read. */
export type OpenAttributes = Record<string, AttributeValue>;

// By the numbers of the OTLP enumerations.
const KINDS: readonly SpanKind[] = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUS_CODES: readonly SpanStatus['code'][] = ['unset', 'ok', 'error'];

/** `Span.kind`; a number of a later version counts as unspecified. */
export function kindOf(number: number): SpanKind {
  return KINDS[number] ?? 'unspecified';
}

/** `Status.code`; a number of a later version counts as unset. */
export function statusCodeOf(number: number): SpanStatus['code'] {
  return STATUS_CODES[number] ?? 'unset';
}

/** Sets one attribute; `__proto__` is an ordinary name. */
export function setAttribute(target: OpenAttributes, key: string, value: AttributeValue): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** A double as JSON can carry it. */
export function doubleOf(value: number): number | string {
  // Adding zero makes -0 a plain 0, as it would come back from JSON text.
  return Number.isFinite(value) ? value + 0 : String(value);
}

/** A 64-bit integer as JSON can carry it: exact, whatever its size. */
export function integerOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** An attribute as text; the default when it is missing or is no text. */
export function textOf<T>(attributes: Attributes, key: string, missing: T): string | T {
  const value = attributes[key];
  return typeof value === 'string' && value !== '' ? value : missing;
}
