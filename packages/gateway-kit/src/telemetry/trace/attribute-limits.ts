import type { Attributes, AttributeValue } from '@opentelemetry/api';

/** How many attributes a span may have, and how long their texts may be. */
export interface AttributeLimits {
  /** Default 128. */
  readonly count: number;
  /** In UTF-16 units. Default: no limit. */
  readonly valueLength: number;
}

/** Attributes within the limits, and how many were left out. */
export interface LimitedAttributes {
  readonly attributes: Attributes;
  readonly dropped: number;
}

/**
 * Reads `OTEL_SPAN_ATTRIBUTE_*_LIMIT` and `OTEL_ATTRIBUTE_*_LIMIT`, of which the ones for spans win. What is no whole
 * number from 0 is warned of and ignored.
 */
export function readAttributeLimits(
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): AttributeLimits {
  const read = (name: string): number | undefined => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return undefined;
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= 0) return value;
    warn(`${name}: found ${JSON.stringify(text)}, expected a whole number from 0; ignored`);
    return undefined;
  };
  const limit = (name: string): number | undefined =>
    read(`OTEL_SPAN_ATTRIBUTE_${name}_LIMIT`) ?? read(`OTEL_ATTRIBUTE_${name}_LIMIT`);
  return { count: limit('COUNT') ?? 128, valueLength: limit('VALUE_LENGTH') ?? Number.POSITIVE_INFINITY };
}

/** The first `count` attributes, their texts cut. */
export function limitAttributes(
  attributes: Attributes,
  { count, valueLength }: AttributeLimits,
): LimitedAttributes {
  const entries = Object.entries(attributes);
  const kept = entries.slice(0, count).map(([key, value]) => [key, cut(value, valueLength)]);
  return { attributes: Object.fromEntries(kept) as Attributes, dropped: entries.length - kept.length };
}

function cut(value: AttributeValue | undefined, length: number): AttributeValue | undefined {
  if (typeof value === 'string') return value.length > length ? value.slice(0, length) : value;
  if (!Array.isArray(value)) return value;
  return value.map((one) => (typeof one === 'string' ? one.slice(0, length) : one)) as AttributeValue;
}
