import type { SpanRecord } from '../records.ts';

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}
interface OtlpAttribute {
  readonly key: string;
  readonly value?: OtlpValue;
}
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano?: string | number;
  readonly attributes?: readonly OtlpAttribute[];
}
interface OtlpRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly OtlpAttribute[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly OtlpSpan[] }[];
  }[];
}

// Numbers of the OTLP enumeration SpanKind.
const KINDS: Readonly<Record<number, SpanRecord['kind']>> = { 1: 'internal', 2: 'server', 3: 'client' };

/**
 * Flattens lines of OTLP/JSON export requests into spans, each span once (exporters may send twice).
 *
 * @throws SyntaxError when a line is not JSON.
 */
export function readSpans(lines: readonly string[]): SpanRecord[] {
  const byId = new Map<string, SpanRecord>();
  for (const line of lines) {
    const request = JSON.parse(line) as OtlpRequest;
    for (const { resource, scopeSpans } of request.resourceSpans ?? []) {
      const about = flatten(resource?.attributes ?? []);
      const service = String(about['service.name'] ?? 'unknown');
      const instance = about['service.instance.id'];
      for (const span of (scopeSpans ?? []).flatMap((scope) => scope.spans ?? [])) {
        byId.set(`${span.traceId} ${span.spanId}`, {
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ? span.parentSpanId : null,
          name: span.name,
          kind: KINDS[span.kind ?? 0] ?? 'other',
          service,
          instance: instance === undefined ? null : String(instance),
          startNs: BigInt(span.startTimeUnixNano ?? 0),
          attributes: flatten(span.attributes ?? []),
        });
      }
    }
  }
  return [...byId.values()];
}

function flatten(attributes: readonly OtlpAttribute[]): Record<string, string | number | boolean> {
  const flat: Record<string, string | number | boolean> = {};
  for (const { key, value } of attributes) {
    const plain = value?.stringValue ?? value?.doubleValue ?? value?.boolValue;
    if (plain !== undefined) flat[key] = plain;
    else if (value?.intValue !== undefined) flat[key] = Number(value.intValue);
  }
  return flat;
}
