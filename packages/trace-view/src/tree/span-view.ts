import type { SpanView } from '../contract/traces.ts';
import type { Span } from '../model/span.ts';

/** A span as the page gets it, with times from the start of its trace. */
export function spanView(span: Span, traceStartNs: bigint): SpanView {
  const { source } = span;
  return {
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    service: source.service,
    instance: source.instance,
    startUnixNano: span.startNs.toString(),
    offsetNs: Number(span.startNs - traceStartNs),
    durationNs: span.endNs === null ? null : Number(span.endNs - span.startNs),
    status: span.status,
    attributes: span.attributes,
    resource: source.resource,
    scope: source.scope,
    events: span.events.map(({ timeNs, name, attributes }) => ({
      offsetNs: Number(timeNs - traceStartNs),
      name,
      attributes,
    })),
    links: span.links,
  };
}
