import type { IncomingMessage, ServerResponse } from 'node:http';
import { openAiError, sendJson } from '@switchyard/gateway-kit';
import { discardBody } from '@switchyard/proxy-core-http';

/** Why this gateway answered by itself; also the `reason` label of metrics. */
export type DenialCode =
  | 'invalid_hop_headers'
  | 'unknown_candidate'
  | 'path_not_allowed'
  | 'model_not_allowed'
  | 'invalid_json'
  | 'missing_model'
  | 'invalid_model'
  | 'request_too_large'
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
}

/** All codes, for metric series that start at zero. */
export const DENIAL_CODES: readonly DenialCode[] = [
  'invalid_hop_headers',
  'unknown_candidate',
  'path_not_allowed',
  'model_not_allowed',
  'invalid_json',
  'missing_model',
  'invalid_model',
  'request_too_large',
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

/** Answers in the shape of the OpenAI API; the rest of the request is read and forgotten. Returns the body's bytes. */
export function deny(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, ...error }: Denial,
): number {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  const { body } = openAiError({ status, type, ...error });
  sendJson(outgoing, status, body, { 'cache-control': 'no-store' });
  discardBody(incoming);
  return Buffer.byteLength(body);
}
