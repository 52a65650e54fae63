import { DiagLogLevel, diag } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { SimpleSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { ClientAttributes } from './client-attributes.ts';
import { resolveBatchOptions } from './export/batch-options.ts';
import { createConsoleExporter } from './export/console-exporter.ts';
import { createJsonProcessor, createProtobufProcessor } from './export/otlp-exporter.ts';
import { createPropagation } from './propagation.ts';
import type { TelemetrySettings } from './settings.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import { readAttributeLimits } from './trace/attribute-limits.ts';
import { readSampler } from './trace/sampler.ts';
import { GatewayTracer } from './trace/tracer.ts';

const SHUTDOWN_LIMIT_MS = 3000;

/** Starts our tracer in front of OpenTelemetry's exporters. Loaded by dynamic import only, so that "off" costs nothing. */
export function startSdk(options: TelemetryOptions, settings: TelemetrySettings): Telemetry {
  const { log } = options;
  logDiagnostics(log);
  const warn = (message: string): void => log.warn(`traces: ${message}`);
  const env = options.env ?? process.env;
  const batch = resolveBatchOptions(env, warn);
  const processors: SpanProcessor[] = [];
  for (const exporter of settings.exporters) {
    if (exporter === 'console') processors.push(new SimpleSpanProcessor(createConsoleExporter()));
    else if (settings.protocol === 'http/json') processors.push(createJsonProcessor());
    else processors.push(createProtobufProcessor(batch, warn));
  }
  const tracer = new GatewayTracer({
    name: 'switchyard',
    resource: resourceOf(options),
    sampler: readSampler(env, warn),
    limits: readAttributeLimits(env, warn),
    processors,
  });
  const { extract, inject } = createPropagation(settings.propagators);
  const attempt = async (what: string, work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      log.warn({ err: firstError(error) }, `traces: ${what} failed; spans may be lost`);
    }
  };
  return {
    enabled: true,
    genAi: settings.genAi,
    tracer,
    clientAttributes: new ClientAttributes(settings.genAi),
    extract,
    inject,
    flush: () => attempt('flush', everyOne(processors.map((processor) => processor.forceFlush()))),
    shutdown: () =>
      attempt('shutdown', withinLimit(everyOne(processors.map((processor) => processor.shutdown())))),
  };
}

/** Waits for all, and rejects when one did. */
async function everyOne(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Later wins: SDK defaults, the app's own, then what the operator set. */
function resourceOf(options: TelemetryOptions): Resource {
  const own = resourceFromAttributes({ 'service.name': options.serviceName, ...options.resourceAttributes });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The SDK reports failed exports and dropped spans only here; silent loss would pass for a bug elsewhere. */
function logDiagnostics(log: Logger): void {
  const warn = (message: string, ...details: unknown[]): void => {
    log.warn(details.length === 0 ? {} : { details: details.map(String) }, `traces: ${message}`);
  };
  const quiet = (): void => undefined;
  const logger = { error: warn, warn, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** A dead collector must not eat the whole shutdown deadline of the app. */
function withinLimit(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the collector did not take the last spans within ${SHUTDOWN_LIMIT_MS} ms`)),
      SHUTDOWN_LIMIT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function firstError(error: unknown): unknown {
  return Array.isArray(error) ? (error[0] as unknown) : error;
}
