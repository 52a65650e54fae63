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
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { OtlpProtocol } from '../settings.ts';
import { SpanEncoder } from './span-encoder.ts';

/**
 * OTLP over HTTP. Endpoint, headers, time-out, compression, TLS and retries are OpenTelemetry's, which reads
 * `OTEL_EXPORTER_OTLP_*`; only the spans are encoded by {@link SpanEncoder}.
 */
export function createOtlpExporter(protocol: OtlpProtocol): SpanExporter {
  const [serializer, contentType] =
    protocol === 'http/json'
      ? [JsonTraceSerializer, 'application/json']
      : [protobuf(), 'application/x-protobuf'];
  const options = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', { 'Content-Type': contentType });
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      options,
      serializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );
}

function protobuf(): ISerializer<ReadableSpan[], IExportTraceServiceResponse> {
  const encoder = new SpanEncoder();
  return {
    serializeRequest: (spans) => encoder.encode(spans),
    deserializeResponse: (bytes) => ProtobufTraceSerializer.deserializeResponse(bytes),
  };
}
