import type { AskProblem, AskProblemCode } from '@switchyard/gateway-kit';

/** How a request ended, as metrics and the access log name it. */
export type RequestOutcome =
  | 'success'
  | 'client_error'
  | 'upstream_error'
  | 'no_provider'
  | 'gateway_error'
  | 'canceled';

/** All request outcomes, for labels that start at zero. */
export const REQUEST_OUTCOMES: readonly RequestOutcome[] = [
  'success',
  'client_error',
  'upstream_error',
  'no_provider',
  'gateway_error',
  'canceled',
];

/** An answer that the gateway itself gives instead of a provider's. */
export interface GatewayFailure {
  readonly status: number;
  /** Closed list, documented in the README. */
  readonly code: GatewayFailureCode;
  readonly message: string;
  /** The part of the request that is at fault, or null. */
  readonly param: string | null;
  readonly outcome: RequestOutcome;
  /** Sent as `Retry-After`, in seconds. */
  readonly retryAfterSeconds?: number;
  /** Sent as `Allow`: the methods that the path takes. */
  readonly allow?: string;
  /** The JSON text of the id of the JSON-RPC request that it answers. */
  readonly rpcId?: string | undefined;
}

/** Codes of the gateway's own answers. */
export type GatewayFailureCode =
  | AskProblemCode
  | 'invalid_session'
  | 'invalid_parameter'
  | 'invalid_kind'
  | 'invalid_limit'
  | 'unsupported_content_encoding'
  | 'request_too_large'
  | 'method_not_allowed'
  | 'unknown_path'
  | 'malformed_request'
  | 'request_timeout'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'gateway_busy'
  | 'too_many_pipelined'
  | 'loop_detected'
  | 'model_not_found'
  | 'tool_not_found'
  | 'response_not_found'
  | 'no_viable_provider'
  | 'state_unavailable'
  | 'not_ready'
  | 'upstream_connect_failed'
  | 'upstream_reset'
  | 'upstream_timeout'
  | 'upstream_invalid_response'
  | 'gateway_error';

/** A request that cannot be understood: HTTP 400 unless told otherwise. */
export function badRequest(
  code: GatewayFailureCode,
  message: string,
  options: { param?: string; status?: number } = {},
): GatewayFailure {
  return {
    status: options.status ?? 400,
    code,
    message,
    param: options.param ?? null,
    outcome: 'client_error',
  };
}

/** A request that does not say what it asks for. */
export function unclearRequest({ code, message, param, rpcId }: AskProblem): GatewayFailure {
  return { ...badRequest(code, message, param === null ? {} : { param }), rpcId };
}

/** A path that is served, with a method that it does not take. `use` is named in the message, `allow` in the header. */
export function methodNotAllowed(asked: {
  method: string;
  path: string;
  use: string;
  allow: string;
}): GatewayFailure {
  const { method, path, use, allow } = asked;
  const message = `${method} is not allowed for ${path}; use ${use}`;
  return { ...badRequest('method_not_allowed', message, { status: 405 }), allow };
}

/** Bytes that are no request, or a request whose target or host is none. */
export const malformedRequest: GatewayFailure = badRequest(
  'malformed_request',
  'the request is not valid HTTP/1.1',
);

/** More bytes of request bodies than the gateway may hold at once. */
export const busyFailure: GatewayFailure = {
  status: 503,
  code: 'gateway_busy',
  message: 'the gateway holds as many bytes of request bodies as it may; nothing was sent on, try again',
  param: null,
  outcome: 'gateway_error',
  retryAfterSeconds: 1,
};

/** HTTP 508 (RFC 5842 §7.2): the request went out from this very process before. */
export const loopFailure: GatewayFailure = {
  status: 508,
  code: 'loop_detected',
  message:
    'this request came from this gateway itself: the address of one of its providers leads back to it; look at clusters[].endpoints',
  param: null,
  outcome: 'gateway_error',
};

/** A defect of the gateway itself. */
export const internalFailure: GatewayFailure = {
  status: 500,
  code: 'gateway_error',
  message: 'the gateway failed; its log has the reason',
  param: null,
  outcome: 'gateway_error',
};
