import { OTLP_ERROR_STATUS, type OtlpError, type OtlpErrorCode } from '../otlp/otlp-error.ts';
import type { OtlpEncoding } from './receiver-options.ts';

/** A whole HTTP answer. */
export interface OtlpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Content type of each encoding. */
export const CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

// Numbers of google.rpc.Code.
const RPC_CODES: Readonly<Record<OtlpErrorCode, number>> = {
  malformed: 3,
  too_large: 8,
  forbidden: 7,
  unsupported: 3,
  not_found: 12,
  method: 12,
  overloaded: 8,
  not_kept: 14,
};

/** 200 with an `ExportTraceServiceResponse`; `partial_success` only when spans were refused. */
export function successAnswer(encoding: OtlpEncoding, rejected: number, reason: string): OtlpAnswer {
  if (rejected === 0) return answer(200, encoding, encoding === 'json' ? Buffer.from('{}') : Buffer.alloc(0));
  const body =
    encoding === 'json'
      ? // 64-bit integers are strings in the JSON of protobuf.
        jsonBytes({ partialSuccess: { rejectedSpans: String(rejected), errorMessage: reason } })
      : bytesField(1, Buffer.concat([varintField(1, rejected), bytesField(2, Buffer.from(reason))]));
  return answer(200, encoding, body);
}

/** The status of an error with a `google.rpc.Status` that says what was wrong. */
export function errorAnswer(encoding: OtlpEncoding, error: OtlpError, retryAfterSeconds: number): OtlpAnswer {
  const { code, message } = error;
  const status = OTLP_ERROR_STATUS[code];
  const body =
    encoding === 'json'
      ? jsonBytes({ code: RPC_CODES[code], message })
      : Buffer.concat([varintField(1, RPC_CODES[code]), bytesField(2, Buffer.from(message))]);
  return answer(status, encoding, body, {
    ...(code === 'overloaded' || code === 'not_kept' ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...(code === 'method' ? { allow: 'POST' } : {}),
    // RFC 7694 §3: which content encodings would have been understood.
    ...(code === 'unsupported' ? { 'accept-encoding': 'gzip' } : {}),
  });
}

function answer(
  status: number,
  encoding: OtlpEncoding,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): OtlpAnswer {
  return {
    status,
    headers: {
      'content-type': CONTENT_TYPES[encoding],
      'content-length': String(body.length),
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body,
  };
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function varintField(field: number, value: number): Buffer {
  return Buffer.from([field << 3, ...varint(value)]);
}

function bytesField(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}
