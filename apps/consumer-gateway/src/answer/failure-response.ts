import { errorBody } from './error-body.ts';
import type { GatewayFailure } from './gateway-failure.ts';

/** A failure as a Fetch response, for the routes that Hono serves. */
export function failureResponse(failure: GatewayFailure): Response {
  return new Response(errorBody(failure, 'openai'), {
    status: failure.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(failure.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(failure.retryAfterSeconds) }),
      ...(failure.allow === undefined ? {} : { allow: failure.allow }),
    },
  });
}
