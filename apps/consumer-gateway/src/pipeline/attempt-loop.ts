import type { RetryRefusalReason, Selection } from '@switchyard/ai-route';
import type { GatewayFailure } from '../answer/gateway-failure.ts';
import { type AttemptEnd, type AttemptVerdict, runAttempt } from './attempt.ts';
import { ATTEMPT_ENDINGS, outcomeOfStatus } from './outcome-table.ts';
import type { Pipeline, RoutedExchange } from './pipeline.ts';
import { replayableAfter } from './replayable.ts';

/**
 * Tries candidates one after another until one answers, the attempts run out, the body cannot be sent again or the
 * client leaves. Returns the gateway's own answer when nothing has been sent, else undefined.
 */
export async function runAttempts(
  pipeline: Pipeline,
  exchange: RoutedExchange,
  first: Selection,
): Promise<GatewayFailure | undefined> {
  const { request } = exchange;
  const { replayBodyBytes } = pipeline.settings;
  let current = first;
  let soonestMs = Number.POSITIVE_INFINITY;
  for (;;) {
    let following: Selection | undefined;
    let refused: RetryRefusalReason = 'not_retryable';
    // Asking takes the candidate's turn, so nobody asks after the client left.
    const may = ({ result, retryAfterMs }: AttemptVerdict): boolean => {
      if (clientGone(exchange)) return false;
      const replayable = replayableAfter(result, request, replayBodyBytes);
      const next = current.next({ result, retryAfterMs, replayable });
      if (next.ok) following = next.selection;
      else refused = next.reason;
      return next.ok;
    };
    const end = await runAttempt(pipeline, {
      exchange,
      selection: current,
      movesOn: may,
      soonestMs,
    }).catch((error) => {
      // Whatever it was, the request is over, and must not count as under way for ever.
      (following ?? current).end({ result: 'local_error' });
      throw error;
    });
    soonestMs = Math.min(soonestMs, end.retryAfterMs ?? soonestMs);
    if (!sentToClient(end) && may(end) && following !== undefined) {
      current = following;
      continue;
    }
    // A candidate that was asked for and then not tried, because the client left meanwhile, has nothing to do with it.
    if (following !== undefined) following.end({ result: 'client_gone' });
    else current.end(end);
    if (refused !== 'not_retryable') pipeline.metrics.traffic.retryRefused(refused);
    return settle(exchange, end, soonestMs);
  }
}

function clientGone({ outgoing }: RoutedExchange): boolean {
  return outgoing.destroyed || outgoing.closed;
}

/** A provider's error that went through to the client is final, however retryable it looks. */
function sentToClient(end: AttemptEnd): boolean {
  return end.outcome?.kind === 'completed' || end.outcome?.kind === 'broken';
}

/**
 * Writes down how the last attempt ended, and words the answer if one is still due.
 * @param soonestMs - The shortest time that any provider asked to be left alone; infinite when none did.
 */
function settle(exchange: RoutedExchange, end: AttemptEnd, soonestMs: number): GatewayFailure | undefined {
  const { record } = exchange;
  const { outcome } = end;
  const rule = ATTEMPT_ENDINGS[end.result];
  if (outcome?.kind === 'completed' || outcome?.kind === 'broken') {
    record.status = outcome.status;
    record.bytes = outcome.responseBytes;
    record.outcome = rule.outcome ?? outcomeOfStatus(outcome.status);
    return undefined;
  }
  if (outcome?.kind === 'client_gone') record.bytes = outcome.responseBytes;
  if (outcome?.kind === 'client_gone' || clientGone(exchange) || rule.answer === undefined) {
    record.outcome = 'canceled';
    return undefined;
  }
  const attempts = record.attempts === 1 ? '1 attempt' : `${record.attempts} attempts`;
  const reason = outcome?.kind === 'failed' ? rootCode(outcome.error) : undefined;
  const detail = reason === undefined ? '' : `: ${reason}`;
  return {
    status: rule.answer.status,
    code: rule.answer.code,
    message: `the provider ${rule.answer.says} (${attempts}${detail})`,
    param: null,
    outcome: rule.outcome ?? 'upstream_error',
    ...(rule.answer.status === 503 &&
      Number.isFinite(soonestMs) && { retryAfterSeconds: Math.ceil(soonestMs / 1000) }),
  };
}

/** The root code alone: an error's text has the provider's address, which is not the client's business. */
function rootCode(error: Error): string | undefined {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
