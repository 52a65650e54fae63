import type { IncomingMessage } from 'node:http';
import { type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { ClientSpan, type Telemetry } from '@switchyard/gateway-kit';
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
  /** The same, if the trace is sampled and can be looked up. */
  readonly sampledTraceId: string | undefined;
  readonly #telemetry: Telemetry;
  readonly #server: Span;
  readonly #context: Context;
  readonly #method: string;

  constructor(telemetry: Telemetry, incoming: IncomingMessage) {
    this.#telemetry = telemetry;
    const parent = telemetry.extract(incoming.rawHeaders);
    this.#method = incoming.method ?? 'POST';
    this.#server = telemetry.tracer.startSpan(
      this.#method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': this.#method } },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#server);
    this.traceId = this.#server.spanContext().traceId;
    this.sampledTraceId = this.#server.isRecording() ? this.traceId : undefined;
  }

  /** Starts the CLIENT span towards a backend. The `gen_ai.*` attributes stand on this hop and on no other. */
  callBackend({ origin, model, hop }: BackendTarget): ClientSpan {
    return new ClientSpan(this.#telemetry, {
      name: `chat ${model}`,
      origin,
      parent: this.#context,
      attributes: {
        'http.request.method': this.#method,
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': model,
        'selected.stable_id': hop.candidateId,
        ...(hop.revision === undefined ? {} : { 'overlay.revision.serving': hop.revision }),
      },
    });
  }

  /** Ends the SERVER span once the last byte has left; the span is named by its route when it had one. */
  end(record: RequestRecord): void {
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
