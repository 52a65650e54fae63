import { apiError } from '@switchyard/gateway-kit';
import type { GatewayFailure } from './gateway-failure.ts';

/** A failure as a Fetch response, for the routes that Hono serves. */
export function failureResponse(failure: GatewayFailure): Response {
  return new Response(apiError(failure, { shape: 'openai' }).body, {
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
