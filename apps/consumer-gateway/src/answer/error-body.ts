import { openAiError } from '@switchyard/gateway-kit';
import type { ErrorShape } from '../listener/routes.ts';
import type { GatewayFailure } from './gateway-failure.ts';

/** The JSON text of a gateway's own error, worded like the API that the client called. */
export function errorBody(failure: GatewayFailure, shape: ErrorShape): string {
  const { status, code, message, param } = failure;
  if (shape === 'anthropic') {
    return JSON.stringify({ type: 'error', error: { type: anthropicType(status), message } });
  }
  return openAiError({ status, message, type: openAiType(status), code, param }).body;
}

function openAiType(status: number): string {
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

function anthropicType(status: number): string {
  if (status === 404) return 'not_found_error';
  if (status === 413) return 'request_too_large';
  if (status < 500) return 'invalid_request_error';
  if (status === 504) return 'timeout_error';
  return status === 503 ? 'overloaded_error' : 'api_error';
}
