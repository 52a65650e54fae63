import type { ServerResponse } from 'node:http';
import type { RouteDecision } from '@switchyard/ai-route';
import { sendJson } from '@switchyard/gateway-kit';
import type { ErrorShape } from '../listener/routes.ts';
import { decisionHeaders } from './decision-headers.ts';
import { errorBody } from './error-body.ts';
import type { GatewayFailure } from './gateway-failure.ts';

/** How a failure is put to the client. */
export interface ErrorAnswer {
  readonly shape: ErrorShape;
  /** The last decision, told in the response headers; undefined before selection or when opted out. */
  readonly decision?: RouteDecision | undefined;
}

/** Answers with a gateway's own error. Returns the number of body bytes. */
export function respondError(outgoing: ServerResponse, failure: GatewayFailure, answer: ErrorAnswer): number {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (failure.retryAfterSeconds !== undefined) headers['retry-after'] = String(failure.retryAfterSeconds);
  if (failure.allow !== undefined) headers['allow'] = failure.allow;
  if (answer.decision !== undefined) {
    const pairs = decisionHeaders(answer.decision);
    for (let at = 0; at < pairs.length; at += 2) headers[pairs[at] ?? ''] = pairs[at + 1] ?? '';
  }
  const body = errorBody(failure, answer.shape);
  sendJson(outgoing, failure.status, body, headers);
  return Buffer.byteLength(body);
}
