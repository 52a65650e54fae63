import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  ClientSpan,
  type GenAiCall,
  type HttpServerAttribute,
  methodAttribute,
  pathAttribute,
  type SpanAttributes,
  type Telemetry,
} from '@switchyard/gateway-kit';
import type { RequestRecord } from '../pipeline/request-record.ts';
import type { HopContext } from '../policy/hop-context.ts';
import type { HopAttribute } from './spans.ts';

/** Where the backend call goes. */
export interface BackendTarget {
  readonly origin: URL;
  /** Route template. */
  readonly route: string;
  /** The configured model. */
  readonly model: string;
  /** Undefined for a path that is no model call as the conventions know it. */
  readonly call: GenAiCall | undefined;
  readonly hop: HopContext;
}

/** SERVER and CLIENT span of one request. Made only while telemetry is enabled. */
export class RequestSpans {
  /** Lower-case hex id of the trace. */
  readonly traceId: string;
  /** The same, if the trace is sampled and can be looked up. */
  readonly sampledTraceId: string | undefined;
  readonly #telemetry: Telemetry;
  readonly #server: Span;
  readonly #context: Context;
  readonly #method: string;

  constructor(telemetry: Telemetry, incoming: IncomingMessage) {
    this.#telemetry = telemetry;
    const parent = telemetry.extract(incoming.rawHeaders);
    this.#method = methodAttribute(incoming.method);
    this.#server = telemetry.tracer.startSpan(
      this.#method === '_OTHER' ? 'HTTP' : this.#method,
      { kind: SpanKind.SERVER },
      parent,
    );
    if (this.#server.isRecording()) this.#server.setAttributes(serverAttributes(incoming, this.#method));
    this.#context = trace.setSpan(parent, this.#server);
    this.traceId = this.#server.spanContext().traceId;
    this.sampledTraceId = this.#server.isRecording() ? this.traceId : undefined;
  }

  /** Starts the CLIENT span towards a backend. The `gen_ai.*` attributes stand on this hop and on no other. */
  callBackend({ origin, route, model, call, hop }: BackendTarget): ClientSpan {
    return new ClientSpan(this.#telemetry, {
      name: call === undefined ? this.#method : `${call.operation} ${model}`,
      method: this.#method,
      origin,
      route,
      parent: this.#context,
      attributes: () => [
        ...(call === undefined ? [] : [this.#telemetry.clientAttributes.ofCall(call, model)]),
        hopAttributes(hop),
      ],
    });
  }

  /** Ends the SERVER span once the last byte has left; the span is named by its route when it had one. */
  end(record: RequestRecord): void {
    if (this.sampledTraceId === undefined) return;
    if (record.route !== null) {
      this.#server.updateName(`${this.#method} ${record.route}`);
      this.#server.setAttribute('http.route', record.route);
    }
    if (record.status !== null) this.#server.setAttribute('http.response.status_code', record.status);
    if (record.outcome === 'upstream_error' || record.outcome === 'gateway_error') {
      this.#server.setAttribute('error.type', record.code ?? String(record.status));
      this.#server.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#server.end();
  }
}

function serverAttributes(incoming: IncomingMessage, method: string): SpanAttributes<HttpServerAttribute> {
  return {
    'http.request.method': method,
    'url.path': pathAttribute(incoming.url ?? ''),
    'url.scheme': incoming.socket instanceof TLSSocket ? 'https' : 'http',
  };
}

function hopAttributes({ candidateId, revision }: HopContext): SpanAttributes<HopAttribute> {
  return {
    'selected.stable_id': candidateId,
    ...(revision === undefined ? {} : { 'overlay.revision.serving': revision }),
  };
}
