import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import {
  type IExportTraceServiceResponse,
  type ISerializer,
  JsonTraceSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { BatchOptions } from './batch-options.ts';
import { EncodingProcessor } from './encoding-processor.ts';
import { SpanEncoder } from './span-encoder.ts';

type Delegate<T> = ReturnType<typeof createOtlpHttpExportDelegate<T, IExportTraceServiceResponse>>;

/** `ExportResultCode.SUCCESS` of a package that would be needed for it alone. */
const SUCCESS = 0;

/**
 * OTLP over HTTP. Endpoint, headers, time-out, compression, TLS and retries are OpenTelemetry's, which reads
 * `OTEL_EXPORTER_OTLP_*`. In JSON, which is for people, batching and encoding are OpenTelemetry's too.
 */
export function createJsonProcessor(): SpanProcessor {
  return new BatchSpanProcessor(new OTLPExporterBase(delegate(JsonTraceSerializer, 'application/json')));
}

/** The same in protobuf, for load. */
export function createProtobufProcessor(batch: BatchOptions, warn: (message: string) => void): SpanProcessor {
  const encoded: ISerializer<Uint8Array, IExportTraceServiceResponse> = {
    serializeRequest: (request) => request,
    deserializeResponse: (bytes) => ProtobufTraceSerializer.deserializeResponse(bytes),
  };
  const exporter = delegate(encoded, 'application/x-protobuf');
  return new EncodingProcessor({
    encoder: new SpanEncoder(),
    batch,
    warn,
    close: () => exporter.shutdown(),
    send: (request) =>
      new Promise((resolve, reject) => {
        exporter.export(request, ({ code, error }) => {
          if (code === SUCCESS) resolve();
          else reject(error ?? new Error('the collector did not take the spans'));
        });
      }),
  });
}

function delegate<T>(
  serializer: ISerializer<T, IExportTraceServiceResponse>,
  contentType: string,
): Delegate<T> {
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': contentType });
  return createOtlpHttpExportDelegate(
    options,
    serializer,
    'otlp_http_span_exporter',
    // The SDK's metrics about itself are not collected.
    { name: 'span', countItems: () => 0 },
    undefined,
  );
}
