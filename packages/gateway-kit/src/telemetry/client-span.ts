import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { ForwardOutcome } from '@switchyard/proxy-core-http';
import type { ClientTarget } from './client-attributes.ts';
import type { Telemetry } from './telemetry.ts';

/** What a CLIENT span is started with. */
export interface ClientSpanStart extends ClientTarget {
  readonly name: string;
  /** Sets beside the one of every exchange, none of which may change later. Asked for only when the span is recorded. */
  readonly attributes: () => readonly Attributes[];
  /** The context of the SERVER span. */
  readonly parent: Context;
}

/**
 * The CLIENT span of one forwarded exchange. Make it only while telemetry is enabled. Below a SERVER span that is not
 * sampled there is no span: every sampler that the environment can name would decide the same, and the next hop gets
 * the trace id, our SERVER span's id and "not sampled".
 */
export class ClientSpan {
  readonly #telemetry: Telemetry;
  readonly #span: Span | undefined;
  readonly #context: Context;

  constructor(telemetry: Telemetry, start: ClientSpanStart) {
    const { parent } = start;
    this.#telemetry = telemetry;
    if (trace.getSpan(parent)?.isRecording() === false) {
      this.#context = parent;
      return;
    }
    const span = telemetry.tracer.startSpan(start.name, { kind: SpanKind.CLIENT }, parent);
    span.setAttributes(telemetry.clientAttributes.ofExchange(start));
    for (const set of start.attributes()) span.setAttributes(set);
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
  }

  /** Puts this span's trace context into the headers, replacing what the caller sent. */
  inject(headers: string[]): void {
    this.#telemetry.inject(this.#context, headers);
  }

  /**
   * Ends the span with the last byte. On a CLIENT span 4xx is an error too; a client that left is none.
   * @param attributes - Asked for what became known meanwhile, only when the span is recorded.
   */
  end(outcome: ForwardOutcome, attributes?: () => Attributes): void {
    const span = this.#span;
    if (span === undefined) return;
    if ('status' in outcome) span.setAttribute('http.response.status_code', outcome.status);
    if (attributes !== undefined) span.setAttributes(attributes());
    const error = errorType(outcome);
    if (error !== undefined) {
      span.setAttribute('error.type', error);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }
}

function errorType(outcome: ForwardOutcome): string | undefined {
  switch (outcome.kind) {
    case 'completed':
    case 'rejected':
      return outcome.status < 400 ? undefined : String(outcome.status);
    case 'failed':
    case 'broken':
      return outcome.reason;
    case 'client_gone':
      return undefined;
  }
}
