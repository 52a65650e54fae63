import type { RouteDecision } from '@switchyard/ai-route';
import type { ClientSpan, EndpointMetadata } from '@switchyard/gateway-kit';
import { type ForwardOutcome, forward, ProxyHttpError } from '@switchyard/proxy-core-http';
import { withDecisionHeaders } from '../answer/decision-headers.ts';
import type { ClusterConfig } from '../config/clusters.ts';
import { attemptHeaders } from './hop-headers.ts';
import { type AttemptResult, OUTCOME_TABLE, resultOf, resultOfStatus } from './outcome-table.ts';
import type { Pipeline, RoutedExchange } from './pipeline.ts';

/** One try at the candidate of a decision. */
export interface AttemptInput {
  readonly exchange: RoutedExchange;
  readonly decision: RouteDecision;
  /**
   * Whether another candidate would take over. Asked at most once, and only when this attempt's result moves on:
   * the answer decides whether a provider's error is discarded or goes through to the client.
   */
  readonly another: () => boolean;
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly result: AttemptResult;
  /** Undefined when no endpoint was called. */
  readonly outcome: ForwardOutcome | undefined;
  /** Whether the first byte of an `answered` response went to the client. */
  readonly begun: boolean;
}

/** Leases an endpoint of the decision's cluster, forwards the request to it and releases the lease with the outcome. */
export async function runAttempt(pipeline: Pipeline, input: AttemptInput): Promise<AttemptEnd> {
  const provider = input.decision.candidate.cluster;
  const entry = pipeline.clusters.get(provider);
  const picked = entry?.cluster.pick();
  const metadata = picked?.kind === 'picked' ? picked.lease.endpoint.metadata : undefined;
  pipeline.metrics.attemptStarted(provider);
  if (entry === undefined || picked?.kind !== 'picked' || metadata === undefined)
    return finish(pipeline, input, { result: 'no_endpoint', outcome: undefined, begun: false });
  const called = await callEndpoint(pipeline, input, { cluster: entry.config, metadata });
  const result = resultOf(called.outcome);
  picked.lease.release(OUTCOME_TABLE[result].lease);
  return finish(pipeline, input, { result, ...called });
}

interface Called {
  readonly outcome: ForwardOutcome;
  readonly begun: boolean;
}

/** Never rejects: what is thrown on the way is an outcome like any other, so that lease, span and counts end with it. */
async function callEndpoint(
  pipeline: Pipeline,
  input: AttemptInput,
  target: { cluster: ClusterConfig; metadata: EndpointMetadata },
): Promise<Called> {
  const { exchange, decision } = input;
  const span = exchange.spans?.attempt(decision, {
    origin: target.metadata.origin,
    path: exchange.route.path,
    providerHop: target.cluster.providerHop,
  });
  let called: Called;
  try {
    called = await forwardTo(pipeline, input, { ...target, span });
  } catch (cause) {
    const error = new ProxyHttpError('local', 'the attempt could not be made', { cause });
    called = { outcome: { kind: 'failed', reason: 'local', error }, begun: false };
  }
  const { outcome } = called;
  if (outcome.kind === 'failed' && outcome.reason === 'local') {
    const { requestId } = exchange.record;
    pipeline.log.error(
      { err: outcome.error, requestId, provider: decision.candidate.cluster },
      'an attempt failed in the gateway',
    );
  }
  span?.end(outcome);
  return called;
}

async function forwardTo(
  pipeline: Pipeline,
  { exchange, decision, another }: AttemptInput,
  target: { cluster: ClusterConfig; metadata: EndpointMetadata; span: ClientSpan | undefined },
): Promise<Called> {
  const { request, record, incoming, outgoing } = exchange;
  const { settings, clock } = pipeline;
  const path = incoming.url ?? exchange.route.path;
  const { requestId } = record;
  const headers = attemptHeaders({ headers: request.headers, cluster: target.cluster, decision, requestId });
  target.span?.inject(headers);
  const told = settings.responseHeaders ? decision : undefined;
  let result: AttemptResult | undefined;
  let begun = false;
  const outcome = await forward({
    upstream: target.metadata.upstream,
    outgoing,
    request: { method: 'POST', path, headers, body: request.body },
    timeouts: { firstByteMs: settings.firstByteMs, idleMs: settings.idleMs, totalMs: settings.totalMs },
    judge: (head) => {
      result = resultOfStatus(head.status);
      return OUTCOME_TABLE[result].movesOn && another() ? 'reject' : 'commit';
    },
    responseHeaders: (list) => withDecisionHeaders(list, told),
    onFirstByte: () => {
      begun = result === 'answered';
      record.ttfbMs = clock.monotonicMs() - record.startedMs;
    },
  });
  return { outcome, begun };
}

function finish(pipeline: Pipeline, input: AttemptInput, end: AttemptEnd): AttemptEnd {
  const provider = input.decision.candidate.cluster;
  const { record } = input.exchange;
  record.decision = input.decision;
  record.attempts = input.decision.attempt;
  record.tried.push({ provider, result: end.result });
  pipeline.metrics.attemptEnded(provider, end.result);
  return end;
}
