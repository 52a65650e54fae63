import type { ServerResponse } from 'node:http';
import type { RouteDecision } from '@switchyard/ai-route';
import { apiError, type ErrorShape, sendJson } from '@switchyard/gateway-kit';
import { decisionHeaders } from './decision-headers.ts';
import type { GatewayFailure } from './gateway-failure.ts';

/** How a failure is put to the client. */
export interface ErrorAnswer {
  readonly shape: ErrorShape;
  /** The gateway's id of the request; undefined for what was refused before it became one. */
  readonly requestId?: string;
  /** The last decision, told in the response headers; undefined before selection or when opted out. */
  readonly decision?: RouteDecision | undefined;
}

/** What a client was sent. */
export interface SentError {
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
}

/** Answers with a gateway's own error. */
export function respondError(
  outgoing: ServerResponse,
  failure: GatewayFailure,
  answer: ErrorAnswer,
): SentError {
  const { shape, requestId } = answer;
  const reply = apiError(failure, { shape, requestId, rpcId: failure.rpcId });
  const headers: Record<string, string> = { 'cache-control': 'no-store', ...reply.headers };
  if (failure.retryAfterSeconds !== undefined) headers['retry-after'] = String(failure.retryAfterSeconds);
  if (failure.allow !== undefined) headers['allow'] = failure.allow;
  if (answer.decision !== undefined) {
    const pairs = decisionHeaders(answer.decision);
    for (let at = 0; at < pairs.length; at += 2) headers[pairs[at] ?? ''] = pairs[at + 1] ?? '';
  }
  sendJson(outgoing, reply.status, reply.body, headers);
  return { status: reply.status, bytes: Buffer.byteLength(reply.body) };
}
