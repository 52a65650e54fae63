import type { Context, Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { GenAiConvention } from './names/gen-ai.ts';

/** Tracing, on or off. Callers pass contexts explicitly: there is no ambient "current span". */
export interface Telemetry {
  /** When false, make no spans at all: no SDK is loaded, and the client's trace headers pass through unchanged. */
  readonly enabled: boolean;
  /** Which names `gen_ai.*` attributes have: {@link genAiAttributes} takes it. */
  readonly genAi: GenAiConvention;
  /** Starts spans: `tracer.startSpan(name, options, context)`. Does nothing when off. */
  readonly tracer: Tracer;
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
   * Decides on or off, exporter, protocol and propagators. Default: `process.env`. The SDK itself reads the rest
   * (endpoint, headers, sampler, queue, limits) from `process.env` only.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Further resource attributes. `OTEL_RESOURCE_ATTRIBUTES` wins over them. */
  readonly resourceAttributes?: Readonly<Record<string, string>>;
  readonly log: Logger;
}
