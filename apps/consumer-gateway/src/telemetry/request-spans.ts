import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { RouteDecision, RouteResult } from '@switchyard/ai-route';
import {
  ClientSpan,
  genAiAttributes,
  genAiCall,
  type HttpServerAttribute,
  type SpanAttributes,
  type Telemetry,
} from '@switchyard/gateway-kit';
import { decisionAttributes } from './decision-attributes.ts';
import type { DecisionAttribute } from './spans.ts';

/** What a SERVER span says about a request before it is routed. */
export interface ServerSpanStart {
  /** Route template, such as `/v1/chat/completions`. */
  readonly route: string;
  /** One of the route's methods. */
  readonly method: string;
  /** The request's headers as they came in; the trace context is read from them. */
  readonly rawHeaders: readonly string[];
}

/** Where an attempt goes. */
export interface AttemptTarget {
  readonly origin: URL;
  readonly path: string;
  /**
   * Whether a provider gateway of ours takes it. That one then calls the model and has the `gen_ai.*` attributes, which
   * stand on one hop only; else they stand here.
   */
  readonly providerHop: boolean;
}

/**
 * The spans of one request: SERVER, `routing.select` INTERNAL and one CLIENT per attempt.
 * Made only while telemetry is enabled; without it there is no object and no call. Of a request that is not sampled
 * there is the SERVER span's id and nothing else: no attribute is built.
 */
export class RequestSpans {
  /** Lower-case hex id of the trace. */
  readonly traceId: string;
  /** The same, if the trace is sampled and can be looked up. */
  readonly sampledTraceId: string | undefined;
  readonly #tracer: Tracer;
  readonly #telemetry: Telemetry;
  readonly #server: Span;
  readonly #context: Context;
  readonly #method: string;

  constructor(telemetry: Telemetry, start: ServerSpanStart) {
    this.#telemetry = telemetry;
    this.#method = start.method;
    this.#tracer = telemetry.tracer;
    const parent = telemetry.extract(start.rawHeaders);
    this.#server = this.#tracer.startSpan(
      `${start.method} ${start.route}`,
      { kind: SpanKind.SERVER },
      parent,
    );
    // Not at the start: the sampler would want them copied and checked for every request.
    if (this.#server.isRecording()) this.#server.setAttributes(serverAttributes(start));
    this.#context = trace.setSpan(parent, this.#server);
    this.traceId = this.#server.spanContext().traceId;
    this.sampledTraceId = this.#server.isRecording() ? this.traceId : undefined;
  }

  /** Runs the selection inside its own span. */
  select(run: () => RouteResult): RouteResult {
    if (this.sampledTraceId === undefined) return run();
    const span = this.#tracer.startSpan('routing.select', { kind: SpanKind.INTERNAL }, this.#context);
    try {
      const result = run();
      if (result.ok) span.setAttributes(decisionAttributes(result.selection.decision));
      else {
        const attributes: SpanAttributes<DecisionAttribute> = { 'routing.reason': result.reason };
        if (result.servingRevision !== null) attributes['overlay.revision.serving'] = result.servingRevision;
        span.setAttributes(attributes);
        // An unknown model is the client's mistake; nobody to serve a known one is ours.
        if (result.reason !== 'unknown_capability') span.setStatus({ code: SpanStatusCode.ERROR });
      }
      return result;
    } finally {
      span.end();
    }
  }

  /** Starts the CLIENT span of one attempt. */
  attempt(decision: RouteDecision, { origin, path, providerHop }: AttemptTarget): ClientSpan {
    const model = decision.candidate.name;
    const call = providerHop ? undefined : genAiCall(path);
    return new ClientSpan(this.#telemetry, {
      name: call === undefined ? this.#method : `${call.operation} ${model}`,
      method: this.#method,
      origin,
      route: path,
      parent: this.#context,
      attributes: () => {
        const attributes: Attributes = decisionAttributes(decision);
        if (decision.attempt > 1) attributes['http.request.resend_count'] = decision.attempt - 1;
        if (call === undefined) return attributes;
        return Object.assign(attributes, genAiAttributes(this.#telemetry.genAi, { ...call, model }));
      },
    });
  }

  /**
   * Ends the SERVER span; called once the last byte has left.
   * @param end - `decision` is the one that answered; `errorType` names what failed.
   */
  end(end: { status: number | null; errorType?: string; decision: RouteDecision | undefined }): void {
    if (this.sampledTraceId === undefined) return;
    if (end.status !== null) this.#server.setAttribute('http.response.status_code', end.status);
    if (end.decision !== undefined)
      this.#server.setAttribute('selected.provider', end.decision.candidate.cluster);
    if (end.errorType !== undefined) {
      this.#server.setAttribute('error.type', end.errorType);
      this.#server.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#server.end();
  }
}

function serverAttributes({ route, method }: ServerSpanStart): SpanAttributes<HttpServerAttribute> {
  return {
    'http.request.method': method,
    'http.route': route,
    'url.path': route,
    'url.scheme': 'http',
  };
}
