import type { AttemptResult, Selection } from '@switchyard/ai-route';
import { type ClientSpan, commitPoint, type EndpointMetadata } from '@switchyard/gateway-kit';
import { type ForwardOutcome, forward, type HeldBody, ProxyHttpError } from '@switchyard/proxy-core-http';
import { withDecisionHeaders } from '../answer/decision-headers.ts';
import type { ClusterConfig } from '../config/clusters.ts';
import { viaLine } from '../request/via.ts';
import { watchAnswer } from '../state/watch-answer.ts';
import { answerHeaders, attemptHeaders, attemptTarget } from './hop-headers.ts';
import { ATTEMPT_ENDINGS, resultOf, resultOfStatus } from './outcome-table.ts';
import type { Pipeline, RoutedExchange } from './pipeline.ts';
import { retryAfterOf, withSoonestRetryAfter } from './retry-after.ts';
import { withoutSessionCookie, withoutSetSessionCookie, withSessionCookie } from './session-cookie.ts';

/** What an attempt came to, known as soon as the head of a response is there. */
export interface AttemptVerdict {
  readonly result: AttemptResult;
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs: number | undefined;
}

/** One try at the candidate of a selection. */
export interface AttemptInput {
  readonly exchange: RoutedExchange;
  readonly selection: Selection;
  /**
   * Whether another candidate takes over after this result: the answer decides whether a provider's error is discarded
   * or goes through to the client.
   */
  readonly movesOn: (verdict: AttemptVerdict) => boolean;
  /** The shortest time that a provider tried before asked to be left alone, in milliseconds; infinite when none did. */
  readonly soonestMs: number;
}

/** How an attempt ended. */
export interface AttemptEnd extends AttemptVerdict {
  /** Undefined when no endpoint was called. */
  readonly outcome: ForwardOutcome | undefined;
  /** Whether the first byte of an `answered` response went to the client. */
  readonly begun: boolean;
}

/** Leases an endpoint of the decision's cluster, forwards the request to it and releases the lease with the outcome. */
export async function runAttempt(pipeline: Pipeline, input: AttemptInput): Promise<AttemptEnd> {
  const provider = input.selection.decision.candidate.cluster;
  const entry = pipeline.clusters.get(provider);
  const picked = entry?.cluster.pick();
  const metadata = picked?.kind === 'picked' ? picked.lease.endpoint.metadata : undefined;
  pipeline.metrics.attemptStarted(provider);
  if (entry === undefined || picked?.kind !== 'picked' || metadata === undefined)
    return finish(pipeline, input, {
      result: 'no_endpoint',
      retryAfterMs: undefined,
      outcome: undefined,
      begun: false,
    });
  const called = await callEndpoint(pipeline, input, { cluster: entry.config, metadata });
  const result = resultOf(called.outcome);
  picked.lease.release(ATTEMPT_ENDINGS[result].lease);
  return finish(pipeline, input, { result, ...called });
}

interface Called {
  readonly outcome: ForwardOutcome;
  readonly retryAfterMs: number | undefined;
  readonly begun: boolean;
}

/** What is learned of an answer while it passes. */
interface Answer {
  result: AttemptResult | undefined;
  retryAfterMs: number | undefined;
  begun: boolean;
}

/** Never rejects: what is thrown on the way is an outcome like any other, so that lease, span and counts end with it. */
async function callEndpoint(
  pipeline: Pipeline,
  input: AttemptInput,
  target: { cluster: ClusterConfig; metadata: EndpointMetadata },
): Promise<Called> {
  const { exchange } = input;
  const { decision } = input.selection;
  const span = exchange.spans?.attempt(decision, {
    origin: target.metadata.origin,
    path: exchange.route.path,
    providerHop: target.cluster.providerHop,
  });
  const answer: Answer = { result: undefined, retryAfterMs: undefined, begun: false };
  let outcome: ForwardOutcome;
  try {
    outcome = await forwardTo(pipeline, input, {
      cluster: target.cluster,
      metadata: target.metadata,
      span,
      answer,
    });
  } catch (cause) {
    const error = new ProxyHttpError('local', 'the attempt could not be made', { cause });
    outcome = { kind: 'failed', reason: 'local', error };
  }
  if (outcome.kind === 'failed' && outcome.reason === 'local') {
    const { requestId } = exchange.record;
    pipeline.log.error(
      { err: outcome.error, requestId, provider: decision.candidate.cluster },
      'an attempt failed in the gateway',
    );
  }
  span?.end(outcome);
  return { outcome, retryAfterMs: answer.retryAfterMs, begun: answer.begun };
}

function forwardTo(
  pipeline: Pipeline,
  { exchange, selection, movesOn, soonestMs }: AttemptInput,
  target: {
    cluster: ClusterConfig;
    metadata: EndpointMetadata;
    span: ClientSpan | undefined;
    answer: Answer;
  },
): Promise<ForwardOutcome> {
  const { answer } = target;
  const { request, record, route, incoming, outgoing } = exchange;
  const { settings, clock } = pipeline;
  const path = attemptTarget(incoming.url ?? route.path, target.cluster);
  const { requestId } = record;
  const { decision } = selection;
  const headers = attemptHeaders({
    headers: withoutSessionCookie(request.headers, settings.sessionCookie),
    cluster: target.cluster,
    decision,
    requestId,
    via: viaLine(settings.read.pseudonym),
  });
  target.span?.inject(headers);
  const told = settings.responseHeaders ? decision : undefined;
  let watch: ((piece: Buffer) => boolean) | undefined;
  const { method = 'POST' } = incoming;
  const toClient = (list: string[]): string[] => {
    const safe = withoutSetSessionCookie(answerHeaders(list, target.cluster), settings.read.session?.cookie);
    const busy = answer.result === 'status_429' || answer.result === 'status_503';
    return busy ? withSoonestRetryAfter(safe, soonestMs, answer.retryAfterMs) : safe;
  };
  return forward({
    upstream: target.metadata.upstream,
    outgoing,
    request: { method, path, headers, body: bodyToSend(exchange), once: !request.asked.repeatable },
    timeouts: {
      firstByteMs: request.asked.streamed ? settings.firstByteMs : settings.unstreamedFirstByteMs,
      idleMs: request.asked.openEnded ? 0 : settings.idleMs,
      totalMs: settings.totalMs,
    },
    judge: (head) => {
      const result = resultOfStatus(head.status);
      const retryAfterMs = retryAfterOf(head.headers, clock.now());
      answer.result = result;
      answer.retryAfterMs = retryAfterMs;
      if (movesOn({ result, retryAfterMs })) return 'reject';
      watch = watchAnswer({ route, method, asked: request.asked, head }, (key, namedBy) =>
        selection.learn(key, namedBy),
      );
      return commitPoint(route, head.headers);
    },
    onPiece: (piece) => watch?.(piece) ?? false,
    responseHeaders: (list) => {
      const cookie = answer.result === 'answered' ? settings.sessionCookie : undefined;
      return withSessionCookie(withDecisionHeaders(toClient(list), told), selection, cookie);
    },
    onFirstByte: () => {
      answer.begun = answer.result === 'answered';
      if (answer.begun) selection.begin();
      record.ttfbMs = clock.monotonicMs() - record.startedMs;
    },
  });
}

/** Null is no body at all: a GET with an empty one would announce its length. */
function bodyToSend({ request, incoming }: RoutedExchange): HeldBody | null {
  return request.body.length === 0 && incoming.method !== 'POST' ? null : request.body;
}

function finish(pipeline: Pipeline, input: AttemptInput, end: AttemptEnd): AttemptEnd {
  const provider = input.selection.decision.candidate.cluster;
  const { record } = input.exchange;
  const { decision } = input.selection;
  record.decision = decision;
  record.attempts = decision.attempt;
  record.tried.push({ provider, result: end.result });
  pipeline.metrics.attemptEnded(provider, end.result);
  return end;
}
