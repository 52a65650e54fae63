import { ProxyTracerProvider, ROOT_CONTEXT } from '@opentelemetry/api';
import { ClientAttributes } from './client-attributes.ts';
import { readTelemetrySettings } from './settings.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';

/**
 * Starts tracing when the environment asks for it: an exporter in `OTEL_TRACES_EXPORTER`, or an OTLP endpoint. Otherwise
 * the SDK is not even loaded. Nothing is registered globally.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const settings = readTelemetrySettings(options.env ?? process.env);
  for (const warning of settings.warnings) options.log.warn(warning);
  if (settings.exporters.length === 0) return disabledTelemetry();
  const { startSdk } = await import('./sdk.ts');
  return startSdk(options, settings);
}

/** Telemetry that is off: for tests, and for libraries that are handed none. */
export function disabledTelemetry(): Telemetry {
  return {
    enabled: false,
    genAi: 'default',
    // A proxy without a delegate hands out no-op spans, whatever else was registered globally.
    tracer: new ProxyTracerProvider().getTracer('off'),
    clientAttributes: new ClientAttributes('default'),
    extract: () => ROOT_CONTEXT,
    inject: () => undefined,
    flush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}
