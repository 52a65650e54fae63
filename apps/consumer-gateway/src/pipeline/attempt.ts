import type { RouteDecision } from '@switchyard/ai-route';
import type { EndpointMetadata } from '@switchyard/gateway-kit';
import { type ForwardOutcome, forward } from '@switchyard/proxy-core-http';
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
}

/** Leases an endpoint of the decision's cluster, forwards the request to it and releases the lease with the outcome. */
export async function runAttempt(pipeline: Pipeline, input: AttemptInput): Promise<AttemptEnd> {
  const provider = input.decision.candidate.cluster;
  const entry = pipeline.clusters.get(provider);
  const picked = entry?.cluster.pick();
  const metadata = picked?.kind === 'picked' ? picked.lease.endpoint.metadata : undefined;
  if (entry === undefined || picked?.kind !== 'picked' || metadata === undefined) {
    pipeline.metrics.attemptStarted(provider);
    return finish(pipeline, input, { result: 'no_endpoint', outcome: undefined });
  }
  pipeline.metrics.attemptStarted(provider);
  const outcome = await callEndpoint(pipeline, input, { cluster: entry.config, metadata });
  const result = resultOf(outcome);
  picked.lease.release(OUTCOME_TABLE[result].lease);
  return finish(pipeline, input, { result, outcome });
}

async function callEndpoint(
  pipeline: Pipeline,
  input: AttemptInput,
  target: { cluster: ClusterConfig; metadata: EndpointMetadata },
): Promise<ForwardOutcome> {
  const { exchange, decision } = input;
  const { request, record, incoming } = exchange;
  const { settings, clock } = pipeline;
  const path = incoming.url ?? exchange.route.path;
  const headers = attemptHeaders({
    headers: request.headers,
    cluster: target.cluster,
    decision,
    requestId: record.requestId,
  });
  const span = exchange.spans?.attempt(decision, {
    origin: target.metadata.origin,
    path: exchange.route.path,
  });
  span?.inject(headers);
  const told = settings.responseHeaders ? decision : undefined;
  const outcome = await forward({
    upstream: target.metadata.upstream,
    outgoing: exchange.outgoing,
    request: { method: 'POST', path, headers, body: request.body },
    timeouts: { firstByteMs: settings.firstByteMs, idleMs: settings.idleMs, totalMs: settings.totalMs },
    judge: (head) =>
      OUTCOME_TABLE[resultOfStatus(head.status)].movesOn && input.another() ? 'reject' : 'commit',
    responseHeaders: (list) => withDecisionHeaders(list, told),
    onFirstByte: () => {
      record.ttfbMs = clock.monotonicMs() - record.startedMs;
    },
  });
  span?.end(outcome);
  return outcome;
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
