import { openAiError } from '../net/openai-error.ts';
import type { ErrorShape } from './api-routes.ts';

/** A gateway's own error. */
export interface ApiError {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The part of the request at fault, or null. */
  readonly param: string | null;
}

/** Which request an error answers. */
export interface ErrorContext {
  readonly shape: ErrorShape;
  /** The gateway's id of the request. */
  readonly requestId?: string | undefined;
  /** The JSON text of a JSON-RPC request's id. Default `null`. */
  readonly rpcId?: string | undefined;
}

/** An answer ready to be sent. */
export interface ApiErrorReply {
  /** Differs from the error's own in JSON-RPC, where an answer to a call that could be read is 200. */
  readonly status: number;
  /** The id header that clients of the API look at. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Words an error like the API that the client called. */
export function apiError(error: ApiError, context: ErrorContext): ApiErrorReply {
  const { status, code, message, param } = error;
  const { requestId } = context;
  switch (context.shape) {
    case 'openai': {
      const type = status < 500 ? 'invalid_request_error' : 'server_error';
      const { body } = openAiError({ status, message, type, code, param });
      return { status, body, headers: requestId === undefined ? {} : { 'x-request-id': requestId } };
    }
    case 'anthropic': {
      const told = {
        type: 'error',
        error: { type: anthropicType(status), message },
        request_id: requestId ?? null,
      };
      return {
        status,
        body: JSON.stringify(told),
        headers: requestId === undefined ? {} : { 'request-id': requestId },
      };
    }
    case 'json_rpc':
      return {
        status: ANSWERED_IN_BAND.has(code) ? 200 : status,
        body: rpcBody(error, context.rpcId ?? 'null'),
        headers: {},
      };
  }
}

/** Names of https://docs.claude.com/en/api/errors. */
function anthropicType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 413:
      return 'request_too_large';
    case 429:
      return 'rate_limit_error';
    case 503:
      return 'overloaded_error';
    case 504:
      return 'timeout_error';
    default:
      return status < 500 ? 'invalid_request_error' : 'api_error';
  }
}

/** An unknown tool is an ordinary answer to a call; as 404 it would tell the client that its session is over. */
const ANSWERED_IN_BAND: ReadonlySet<string> = new Set(['tool_not_found']);

const RPC_CODES: ReadonlyMap<string, number> = new Map([
  ['invalid_json', -32_700],
  ['invalid_message', -32_600],
  ['invalid_tool', -32_602],
  ['tool_not_found', -32_602],
  // HeaderMismatch of MCP 2026-07-28.
  ['header_mismatch', -32_020],
]);

/** The id is JSON text already: parsed and written anew, a long number would be another. */
function rpcBody({ status, code, message }: ApiError, id: string): string {
  const number = RPC_CODES.get(code) ?? (status < 500 ? -32_600 : -32_603);
  const told = JSON.stringify({ code: number, message, data: { code } });
  return `{"jsonrpc":"2.0","id":${id},"error":${told}}`;
}
