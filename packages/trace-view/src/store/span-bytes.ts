import type { Attributes, AttributeValue, Span, SpanSource } from '../model/span.ts';

/** Objects, ids and times of a span without anything variable. */
const SPAN_BYTES = 600;
/** A key's slot, a boxed number, a string's header. */
const VALUE_BYTES = 40;

/** Estimates the memory that a span takes, in bytes, without its source, which it shares with others. */
export function spanBytes(span: Span): number {
  let bytes = SPAN_BYTES + span.name.length + span.traceState.length + span.status.message.length;
  bytes += attributesBytes(span.attributes);
  for (const { name, attributes } of span.events)
    bytes += 2 * VALUE_BYTES + name.length + attributesBytes(attributes);
  for (const { traceId, spanId, attributes } of span.links)
    bytes += 2 * VALUE_BYTES + traceId.length + spanId.length + attributesBytes(attributes);
  return bytes;
}

/** Estimates the memory that a source takes, in bytes. */
export function sourceBytes({ resource, scope }: SpanSource): number {
  return attributesBytes(resource) + 4 * VALUE_BYTES + scope.name.length + scope.version.length;
}

function attributesBytes(attributes: Attributes): number {
  let bytes = 0;
  for (const key in attributes) bytes += VALUE_BYTES + key.length + valueBytes(attributes[key]);
  return bytes;
}

function valueBytes(value: AttributeValue | undefined): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  if (Array.isArray(value))
    return value.reduce<number>((sum, item: AttributeValue) => sum + valueBytes(item), VALUE_BYTES);
  if (typeof value === 'object' && value !== null) return VALUE_BYTES + attributesBytes(value as Attributes);
  return VALUE_BYTES;
}
