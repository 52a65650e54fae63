import type { Context, Span, SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { ClientAttributes } from './client-attributes.ts';
import type { GenAiConvention } from './names/gen-ai.ts';

/** The part of OpenTelemetry's tracer that gateways use. */
export interface SpanStarter {
  /** Starts a span below the one in `above`; where there is none it begins a trace. */
  startSpan(name: string, options: { readonly kind: SpanKind }, above: Context): Span;
}

/** Tracing, on or off. Callers pass contexts explicitly: there is no ambient "current span". */
export interface Telemetry {
  /** When false, make no spans at all: no SDK is loaded, and the client's trace headers pass through unchanged. */
  readonly enabled: boolean;
  /** Which names `gen_ai.*` attributes have: {@link genAiAttributes} takes it. */
  readonly genAi: GenAiConvention;
  /** Starts spans. Does nothing when off. Sets of attributes that a span is given must not change afterwards. */
  readonly tracer: SpanStarter;
  /** Attributes that CLIENT spans have in common. */
  readonly clientAttributes: ClientAttributes;
  /** The caller's trace context and baggage from node's flat `rawHeaders`. The root context when there is none. */
  extract(rawHeaders: readonly string[]): Context;
  /** Replaces the trace headers in a flat header list by those of `context`. Leaves the list alone when off. */
  inject(context: Context, headers: string[]): void;
  /** Sends what is queued. Never rejects: a failure is logged. */
  flush(): Promise<void>;
  /** Sends what is queued and stops, within three seconds. Never rejects. */
  shutdown(): Promise<void>;
}

/** What telemetry is started with. */
export interface TelemetryOptions {
  /** `service.name`, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` names another. */
  readonly serviceName: string;
  /**
   * Decides on or off, exporter, protocol, propagators, sampler, limits and queue. Default: `process.env`. OpenTelemetry
   * itself reads what concerns the collector (`OTEL_EXPORTER_OTLP_*`), and `OTEL_BSP_*` for JSON, from `process.env` only.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Further resource attributes. `OTEL_RESOURCE_ATTRIBUTES` wins over them. */
  readonly resourceAttributes?: Readonly<Record<string, string>>;
  readonly log: Logger;
}
