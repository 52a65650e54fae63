import type { IncomingMessage } from 'node:http';
import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  HTTP_SERVER_ATTRIBUTES,
  type HttpServerAttribute,
  methodAttribute,
  pathAttribute,
  type SpanAttributes,
  type SpanDefinition,
  type Telemetry,
} from '@switchyard/gateway-kit';

/** The one span of a reply. */
export const REPLY_SPAN: SpanDefinition = {
  name: '{method} {path}, or {method} when no cassette has the path',
  kind: 'SERVER',
  help: "One per request, from its head to the reply's last byte. Continues the caller's trace.",
  attributes: {
    ...HTTP_SERVER_ATTRIBUTES,
    'vcr.hit': { type: 'boolean', help: 'Whether a cassette was played.', values: [true, false] },
    'vcr.cassette': {
      type: 'string',
      help: 'Which cassette; absent when none was.',
      bound: 'cassettes in the folder',
    },
    'vcr.aborted': {
      type: 'boolean',
      help: 'Present when the client left before the end.',
      values: [true],
    },
  },
};

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

/** Starts the span of a reply as a child of the request's `traceparent`. Makes no object of the SDK when it is off. */
export function startReplySpan(telemetry: Telemetry, incoming: IncomingMessage, route: SpanRoute): ReplySpan {
  if (!telemetry.enabled) return { traceId: traceIdOf(incoming), end: () => {} };
  const found = methodAttribute(route.method);
  const method = found === '_OTHER' ? 'HTTP' : found;
  const span = telemetry.tracer.startSpan(
    // An unknown path never becomes a name: anybody could make up a million of them.
    route.known ? `${method} ${route.path}` : method,
    { kind: SpanKind.SERVER },
    telemetry.extract(incoming.rawHeaders),
  );
  if (span.isRecording()) span.setAttributes(serverAttributes(route, found));
  return { traceId: span.spanContext().traceId, end: (end) => endSpan(span, end) };
}

function serverAttributes(route: SpanRoute, method: string): SpanAttributes<HttpServerAttribute> {
  return {
    'http.request.method': method,
    'url.path': pathAttribute(route.path),
    'url.scheme': 'http',
    ...(route.known ? { 'http.route': route.path } : {}),
  };
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
