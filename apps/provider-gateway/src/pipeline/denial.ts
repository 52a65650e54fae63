import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AskProblemCode, apiError, type ErrorContext, sendJson } from '@switchyard/gateway-kit';
import { discardBody } from '@switchyard/proxy-core-http';

/** Why this gateway answered by itself; also the `reason` label of metrics. */
export type DenialCode =
  | 'invalid_hop_headers'
  | 'unknown_candidate'
  | 'path_not_allowed'
  | 'method_not_allowed'
  | 'model_not_allowed'
  | AskProblemCode
  | 'unsupported_content_encoding'
  | 'request_too_large'
  | 'gateway_busy'
  | 'malformed_request'
  | 'request_timeout'
  | 'expectation_failed'
  | 'too_many_pipelined'
  | 'headers_too_large'
  | 'backend_unavailable'
  | 'backend_timeout'
  | 'gateway_error';

/** An answer of the gateway's own. */
export interface Denial {
  readonly status: number;
  readonly code: DenialCode;
  readonly message: string;
  /** The part of the request that is at fault, or null. */
  readonly param: string | null;
  /** Sent as `Allow`: the methods that the path takes. */
  readonly allow?: string;
  /** Sent as `Retry-After`, in seconds. */
  readonly retryAfterSeconds?: number;
}

/** All codes, for metric series that start at zero. */
export const DENIAL_CODES: readonly DenialCode[] = [
  'invalid_hop_headers',
  'unknown_candidate',
  'path_not_allowed',
  'method_not_allowed',
  'model_not_allowed',
  'invalid_json',
  'invalid_form',
  'missing_model',
  'invalid_model',
  'model_mismatch',
  'invalid_message',
  'invalid_tool',
  'header_mismatch',
  'unsupported_content_encoding',
  'request_too_large',
  'gateway_busy',
  'malformed_request',
  'request_timeout',
  'expectation_failed',
  'too_many_pipelined',
  'headers_too_large',
  'backend_unavailable',
  'backend_timeout',
  'gateway_error',
];

/** Makes a denial. */
export function denial(
  status: number,
  code: DenialCode,
  message: string,
  param: string | null = null,
): Denial {
  return { status, code, message, param };
}

/** Answers like the API that was called; the rest of the request is read and forgotten. Returns the body's bytes. */
export function deny(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { denial: told, context }: { denial: Denial; context: ErrorContext },
): number {
  const { status, headers, body } = apiError(told, context);
  const allow = told.allow === undefined ? {} : { allow: told.allow };
  const retryAfter =
    told.retryAfterSeconds === undefined ? {} : { 'retry-after': String(told.retryAfterSeconds) };
  sendJson(outgoing, status, body, { 'cache-control': 'no-store', ...headers, ...allow, ...retryAfter });
  discardBody(incoming);
  return Buffer.byteLength(body);
}
