import type { RouteResult } from '@switchyard/ai-route';
import { traceIdOf } from '@switchyard/gateway-kit';
import { type GatewayFailure, internalFailure } from '../answer/gateway-failure.ts';
import { respondError } from '../answer/respond-error.ts';
import { type ReadRequest, readRequest } from '../request/read-request.ts';
import { RequestSpans } from '../telemetry/request-spans.ts';
import { runAttempts } from './attempt-loop.ts';
import { findProvider } from './find-provider.ts';
import { noRouteFailure } from './no-route.ts';
import type { ClientExchange, Pipeline } from './pipeline.ts';
import { openRecord, type RequestRecord } from './request-record.ts';

/** Status that the log and the metrics show for a client that left; nobody is there to receive it. */
const CLIENT_CLOSED_REQUEST = 499;

/** One request from its head to its last byte: read, select, attempt, answer, report. Never rejects. */
export async function handleRequest(pipeline: Pipeline, client: ClientExchange, n: number): Promise<void> {
  const { route, incoming } = client;
  const { method = '', rawHeaders } = incoming;
  const { tracing, clock } = pipeline;
  const record = openRecord({ n, route: route.path, requestId: pipeline.newRequestId(), clock });
  const spans = tracing && new RequestSpans(tracing, { route: route.path, method, rawHeaders });
  record.traceId = spans?.traceId ?? traceIdOf(rawHeaders);
  pipeline.metrics.requestStarted(route.path);
  try {
    const failure = await routeRequest(pipeline, { client, record, spans });
    if (failure !== undefined) answerFailure(pipeline, client, { record, failure });
  } catch (error) {
    pipeline.log.error(
      { err: error, requestId: record.requestId, route: route.path },
      'a request failed in the gateway',
    );
    answerDefect(pipeline, client, record);
  }
  report(pipeline, record, spans);
}

/** The last resort: whatever threw before may throw again, and then the client must at least not wait for ever. */
function answerDefect(pipeline: Pipeline, client: ClientExchange, record: RequestRecord): void {
  try {
    answerFailure(pipeline, client, { record, failure: internalFailure });
  } catch (error) {
    pipeline.log.error({ err: error, requestId: record.requestId }, 'a failed request could not be answered');
    client.outgoing.destroy();
  }
}

interface Opened {
  readonly client: ClientExchange;
  readonly record: RequestRecord;
  readonly spans: RequestSpans | undefined;
}

async function routeRequest(pipeline: Pipeline, opened: Opened): Promise<GatewayFailure | undefined> {
  const { client, record } = opened;
  const read = await readRequest(client, pipeline.settings.read);
  if (read.kind === 'client_gone') {
    record.outcome = 'canceled';
    return undefined;
  }
  if (read.kind === 'refused') return read.failure;
  try {
    return await routeRead(pipeline, opened, read.request);
  } finally {
    pipeline.settings.read.budget.give(read.request.body.length);
  }
}

async function routeRead(
  pipeline: Pipeline,
  { client, record, spans }: Opened,
  request: ReadRequest,
): Promise<GatewayFailure | undefined> {
  const { asked } = request;
  record.model = asked.name ?? null;
  const select = (): RouteResult => findProvider(pipeline.router, request);
  const result = spans === undefined ? select() : spans.select(select);
  if (!result.ok) {
    record.routable = result.reason === 'no_viable_candidate' || result.reason === 'state_unavailable';
    return { ...noRouteFailure(pipeline.router, asked, result.reason), rpcId: asked.rpcId };
  }
  record.model = result.selection.decision.candidate.name;
  record.routable = true;
  const failure = await runAttempts(pipeline, { ...client, request, record, spans }, result.selection);
  return failure && { ...failure, rpcId: asked.rpcId };
}

function answerFailure(
  pipeline: Pipeline,
  client: ClientExchange,
  told: { record: RequestRecord; failure: GatewayFailure },
): void {
  const { record, failure } = told;
  const decision = pipeline.settings.responseHeaders ? record.decision : undefined;
  record.outcome = failure.outcome;
  record.code = failure.code;
  const { requestId } = record;
  const sent = respondError(client.outgoing, failure, {
    shape: client.route.errorShape,
    requestId,
    decision,
  });
  record.status = sent.status;
  record.bytes = sent.bytes;
}

/** Tells log, metrics and trace, in this order of usefulness when something is wrong with one of them. */
function report(pipeline: Pipeline, record: RequestRecord, spans: RequestSpans | undefined): void {
  if (record.outcome === 'canceled') record.status = CLIENT_CLOSED_REQUEST;
  record.totalMs = pipeline.clock.monotonicMs() - record.startedMs;
  pipeline.accessLog.write(record);
  pipeline.metrics.requestEnded(record, spans?.sampledTraceId);
  if (spans === undefined) return;
  const errorType = serverErrorOf(record);
  spans.end({
    // 499 is ours alone: nobody sent it.
    status: record.outcome === 'canceled' ? null : record.status,
    decision: record.decision,
    ...(errorType === undefined ? {} : { errorType }),
  });
}

/** What makes a SERVER span an error: a 5xx, or a response that broke off. Not a 4xx, and not a client that left. */
function serverErrorOf(record: RequestRecord): string | undefined {
  const { outcome, status } = record;
  if (outcome === 'canceled' || outcome === 'success' || status === null) return undefined;
  if (status >= 500) return record.code ?? String(status);
  return status < 400 ? (record.tried.at(-1)?.result ?? outcome) : undefined;
}
