import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { RouteDecision, RouteResult } from '@switchyard/ai-route';
import { ClientSpan, genAiCall, type SpanAttributes } from '@switchyard/gateway-kit';
import type { DecisionAttribute } from './spans.ts';
import type { Tracing } from './tracing.ts';

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
  readonly #tracing: Tracing;
  readonly #server: Span;
  readonly #context: Context;
  readonly #method: string;

  constructor(tracing: Tracing, start: ServerSpanStart) {
    const { telemetry } = tracing;
    this.#tracing = tracing;
    this.#method = start.method;
    const parent = telemetry.extract(start.rawHeaders);
    const { name, attributes } = tracing.serverSpan(start);
    this.#server = telemetry.tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
    this.#server.setAttributes(attributes);
    this.#context = trace.setSpan(parent, this.#server);
    this.traceId = this.#server.spanContext().traceId;
    this.sampledTraceId = this.#server.isRecording() ? this.traceId : undefined;
  }

  /** Runs the selection inside its own span. */
  select(run: () => RouteResult): RouteResult {
    if (this.sampledTraceId === undefined) return run();
    const { telemetry, decisions } = this.#tracing;
    const span = telemetry.tracer.startSpan('routing.select', { kind: SpanKind.INTERNAL }, this.#context);
    try {
      const result = run();
      if (result.ok) span.setAttributes(decisions.of(result.selection.decision));
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
    const { telemetry, decisions } = this.#tracing;
    const model = decision.candidate.name;
    const call = providerHop ? undefined : genAiCall(path);
    return new ClientSpan(telemetry, {
      name: call === undefined ? this.#method : `${call.operation} ${model}`,
      method: this.#method,
      origin,
      route: path,
      parent: this.#context,
      attributes: () => {
        const sets: Attributes[] = [decisions.of(decision)];
        if (decision.attempt > 1) sets.push({ 'http.request.resend_count': decision.attempt - 1 });
        if (call !== undefined) sets.push(telemetry.clientAttributes.ofCall(call, model));
        return sets;
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
