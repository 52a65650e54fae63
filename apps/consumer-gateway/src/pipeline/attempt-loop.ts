import type { Selection } from '@switchyard/ai-route';
import type { GatewayFailure } from '../answer/gateway-failure.ts';
import { type AttemptEnd, runAttempt } from './attempt.ts';
import { OUTCOME_TABLE, outcomeOfStatus } from './outcome-table.ts';
import type { Pipeline, RoutedExchange } from './pipeline.ts';

/**
 * Tries candidates one after another until one answers, the attempts run out, the body cannot be sent again or the
 * client leaves. Returns the gateway's own answer when nothing has been sent, else undefined.
 */
export async function runAttempts(
  pipeline: Pipeline,
  exchange: RoutedExchange,
  first: Selection,
): Promise<GatewayFailure | undefined> {
  const replayable = exchange.request.body.length <= pipeline.settings.replayBodyBytes;
  let current = first;
  for (;;) {
    let following: Selection | undefined;
    let asked = false;
    const another = (): boolean => {
      // Asking takes the candidate's turn, so it is done once per attempt and not after the client left.
      if (!asked && replayable && !clientGone(exchange)) following = nextOf(current);
      asked = true;
      return following !== undefined;
    };
    const end = await runAttempt(pipeline, { exchange, decision: current.decision, another });
    if (OUTCOME_TABLE[end.result].movesOn && !sentToClient(end) && another() && following !== undefined) {
      current = following;
      continue;
    }
    // A candidate that was asked for and then not tried, because the client left meanwhile, ends the request.
    return settle(exchange, following ?? current, end);
  }
}

function nextOf(selection: Selection): Selection | undefined {
  const result = selection.next();
  return result.ok ? result.selection : undefined;
}

function clientGone({ outgoing }: RoutedExchange): boolean {
  return outgoing.destroyed || outgoing.closed;
}

/** A provider's error that went through to the client is final, however retryable it looks. */
function sentToClient(end: AttemptEnd): boolean {
  return end.outcome?.kind === 'completed' || end.outcome?.kind === 'broken';
}

/** Writes down how the last attempt ended, tells the router, and words the answer if one is still due. */
function settle(exchange: RoutedExchange, selection: Selection, end: AttemptEnd): GatewayFailure | undefined {
  const { record } = exchange;
  const { outcome } = end;
  const rule = OUTCOME_TABLE[end.result];
  const { binding } = rule;
  if (binding === 'confirmed' || (binding === 'confirmed once begun' && end.begun)) selection.confirm();
  else selection.fail();
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
  };
}

/** The root code alone: an error's text has the provider's address, which is not the client's business. */
function rootCode(error: Error): string | undefined {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
