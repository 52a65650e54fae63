import type { IncomingMessage } from 'node:http';
import { type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Telemetry } from '@switchyard/gateway-kit';
import type { ForwardOutcome } from '@switchyard/proxy-core-http';
import type { RequestRecord } from '../pipeline/request-record.ts';
import type { HopContext } from '../policy/hop-context.ts';

/** Where the backend call goes. */
export interface BackendTarget {
  readonly origin: URL;
  /** The configured model. */
  readonly model: string;
  readonly hop: HopContext;
}

/** SERVER and CLIENT span of one request. Made only while telemetry is enabled. */
export class RequestSpans {
  /** Lower-case hex id of the trace. */
  readonly traceId: string;
  readonly #telemetry: Telemetry;
  readonly #server: Span;
  readonly #context: Context;

  constructor(telemetry: Telemetry, incoming: IncomingMessage) {
    this.#telemetry = telemetry;
    const parent = telemetry.extract(incoming.rawHeaders);
    const method = incoming.method ?? 'POST';
    this.#server = telemetry.tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#server);
    this.traceId = this.#server.spanContext().traceId;
  }

  /** Starts the CLIENT span towards a backend. The `gen_ai.*` attributes stand on this hop and on no other. */
  callBackend({ origin, model, hop }: BackendTarget): BackendSpan {
    const span = this.#telemetry.tracer.startSpan(
      `chat ${model}`,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': model,
          'http.request.method': 'POST',
          'server.address': origin.hostname,
          'server.port': Number(origin.port || (origin.protocol === 'https:' ? 443 : 80)),
          'selected.stable_id': hop.candidateId,
          ...(hop.revision === undefined ? {} : { 'overlay.revision.serving': hop.revision }),
        },
      },
      this.#context,
    );
    return new BackendSpan(this.#telemetry, span, trace.setSpan(this.#context, span));
  }

  /** Ends the SERVER span once the last byte has left; the span is named by its route when it had one. */
  end(record: RequestRecord): void {
    if (record.route !== null) {
      this.#server.updateName(`POST ${record.route}`);
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

/** The CLIENT span of a backend call. */
export class BackendSpan {
  readonly #telemetry: Telemetry;
  readonly #span: Span;
  readonly #context: Context;

  constructor(telemetry: Telemetry, span: Span, context: Context) {
    this.#telemetry = telemetry;
    this.#span = span;
    this.#context = context;
  }

  /** Puts this span's trace context into the headers, replacing what the peer sent. */
  inject(headers: string[]): void {
    this.#telemetry.inject(this.#context, headers);
  }

  /** Ends the span with the last byte. A peer that left is no error. */
  end(outcome: ForwardOutcome): void {
    if ('status' in outcome) this.#span.setAttribute('http.response.status_code', outcome.status);
    const fault =
      outcome.kind === 'failed' || outcome.kind === 'broken'
        ? outcome.reason
        : 'status' in outcome && outcome.status >= 400
          ? String(outcome.status)
          : undefined;
    if (fault !== undefined) {
      this.#span.setAttribute('error.type', fault);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}
