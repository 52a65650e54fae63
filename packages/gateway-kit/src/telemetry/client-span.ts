import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { ForwardOutcome } from '@switchyard/proxy-core-http';
import type { Telemetry } from './telemetry.ts';

/** What a CLIENT span is started with. */
export interface ClientSpanStart {
  readonly name: string;
  /** Where the request goes; gives `server.address` and `server.port`. */
  readonly origin: URL;
  /** Replace the ones that this class sets, such as `http.request.method`, which is `POST` by default. */
  readonly attributes: Attributes;
  readonly parent: Context;
}

/** The CLIENT span of one forwarded exchange. Make it only while telemetry is enabled. */
export class ClientSpan {
  readonly #telemetry: Telemetry;
  readonly #span: Span;
  readonly #context: Context;

  constructor(telemetry: Telemetry, { name, origin, attributes, parent }: ClientSpanStart) {
    this.#telemetry = telemetry;
    this.#span = telemetry.tracer.startSpan(
      name,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'http.request.method': 'POST',
          // Without the brackets of an IPv6 address, which belong to the URL.
          'server.address': origin.hostname.replace(/^\[|\]$/g, ''),
          'server.port': Number(origin.port || (origin.protocol === 'https:' ? 443 : 80)),
          ...attributes,
        },
      },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#span);
  }

  /** Puts this span's trace context into the headers, replacing what the caller sent. */
  inject(headers: string[]): void {
    this.#telemetry.inject(this.#context, headers);
  }

  /** Ends the span with the last byte. On a CLIENT span 4xx is an error too; a client that left is none. */
  end(outcome: ForwardOutcome): void {
    if ('status' in outcome) this.#span.setAttribute('http.response.status_code', outcome.status);
    const error = errorType(outcome);
    if (error !== undefined) {
      this.#span.setAttribute('error.type', error);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
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
