import type { Span } from '../model/span.ts';

/**
 * Which of two arrivals of the same span stands: the one that has ended; else the one with more attributes, events
 * and links; else the one that ended later; else the greater as text. That order is total and looks at nothing but the
 * spans, so the result is the same whatever order, and however often, they arrived.
 */
export function fullerSpan(a: Span, b: Span): Span {
  const order =
    Number(a.endNs !== null) - Number(b.endNs !== null) ||
    details(a) - details(b) ||
    Number((a.endNs ?? 0n) - (b.endNs ?? 0n)) ||
    (spanText(a) < spanText(b) ? -1 : 1);
  return order > 0 ? a : b;
}

function details(span: Span): number {
  return Object.keys(span.attributes).length + span.events.length + span.links.length;
}

function spanText(span: Span): string {
  return JSON.stringify(span, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
