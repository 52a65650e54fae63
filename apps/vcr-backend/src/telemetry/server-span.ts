import type { IncomingMessage } from 'node:http';
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Telemetry } from '@switchyard/gateway-kit';

/** How a reply ended, for its span. */
interface ReplySpanEnd {
  /** The status sent; absent when the client left before one was. */
  readonly status: number | undefined;
  readonly cassette: string | null;
  readonly hit: boolean;
  readonly aborted: boolean;
}

/** The SERVER span of one reply, or its stand-in when telemetry is off. */
export interface ReplySpan {
  /** 32 hex digits; `null` when telemetry is off and the request carries no valid `traceparent`. */
  readonly traceId: string | null;
  /** To be called once, after the last byte. */
  end(end: ReplySpanEnd): void;
}

/** The route of a request: exact method, path without the query, and whether some cassette has this path. */
export interface SpanRoute {
  readonly method: string;
  readonly path: string;
  readonly known: boolean;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;
const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

/** Starts the span of a reply as a child of the request's `traceparent`. Makes no object of the SDK when it is off. */
export function startReplySpan(telemetry: Telemetry, incoming: IncomingMessage, route: SpanRoute): ReplySpan {
  if (!telemetry.enabled) return { traceId: traceIdOf(incoming), end: () => {} };
  const known = METHODS.has(route.method);
  const method = known ? route.method : 'HTTP';
  const span = telemetry.tracer.startSpan(
    // An unknown path never becomes a name: anybody could make up a million of them.
    route.known ? `${method} ${route.path}` : method,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': known ? route.method : '_OTHER',
        'url.path': route.path,
        'url.scheme': 'http',
        ...(route.known ? { 'http.route': route.path } : {}),
      },
    },
    telemetry.extract(incoming.rawHeaders),
  );
  return { traceId: span.spanContext().traceId, end: (end) => endSpan(span, end) };
}

function endSpan(span: Span, end: ReplySpanEnd): void {
  span.setAttribute('vcr.hit', end.hit);
  if (end.cassette !== null) span.setAttribute('vcr.cassette', end.cassette);
  if (end.aborted) span.setAttribute('vcr.aborted', true);
  if (end.status !== undefined) {
    span.setAttribute('http.response.status_code', end.status);
    if (end.status >= 500) {
      span.setAttribute('error.type', String(end.status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
  }
  span.end();
}

function traceIdOf(incoming: IncomingMessage): string | null {
  const header = incoming.headers['traceparent'];
  return typeof header === 'string' ? (TRACEPARENT.exec(header)?.[1] ?? null) : null;
}
