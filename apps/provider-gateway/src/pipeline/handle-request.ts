import type { IncomingMessage } from 'node:http';
import { traceIdOf } from '@switchyard/gateway-kit';
import { collectBody } from '@switchyard/proxy-core-http';
import { readHopContext } from '../policy/hop-context.ts';
import { accessLine } from '../telemetry/access-line.ts';
import { RequestSpans } from '../telemetry/request-spans.ts';
import { callBackend } from './call-backend.ts';
import { type Denial, denial, deny } from './denial.ts';
import { identifyModel } from './identify-model.ts';
import type { Admitted, Exchange, Pipeline } from './pipeline.ts';
import { openRecord } from './request-record.ts';

/** Status that the log shows for a peer that left; nobody is there to receive it. */
const CLIENT_CLOSED_REQUEST = 499;

/** One request from its head to its last byte: judge, forward, report. Never rejects. */
export async function handleRequest(
  pipeline: Pipeline,
  { incoming, outgoing }: Pick<Exchange, 'incoming' | 'outgoing'>,
  n: number,
): Promise<void> {
  const record = openRecord(n, pipeline.clock);
  const { telemetry } = pipeline;
  const spans = telemetry.enabled ? new RequestSpans(telemetry, incoming) : undefined;
  record.traceId = spans?.traceId ?? traceIdOf(incoming.rawHeaders);
  const exchange: Exchange = { incoming, outgoing, record, spans };
  pipeline.metrics.requestStarted();
  try {
    const judged = await judge(pipeline, exchange);
    if (judged === 'client_gone') record.outcome = 'canceled';
    else if ('code' in judged) answer(exchange, judged);
    else {
      const failure = await callBackend(pipeline, exchange, judged);
      if (failure !== undefined) answer(exchange, failure);
    }
  } catch (error) {
    pipeline.log.error({ err: error, requestId: record.requestId }, 'a request failed in the gateway');
    answer(exchange, denial(500, 'gateway_error', 'the provider gateway failed; its log has the reason'));
  }
  report(pipeline, exchange);
}

/** Hop headers, candidate and path before the body is read; the model after. */
async function judge(
  { policy, config }: Pipeline,
  { incoming, record }: Exchange,
): Promise<Admitted | Denial | 'client_gone'> {
  const hop = readHopContext(incoming.rawHeaders);
  if (!hop.ok) return denial(403, 'invalid_hop_headers', hop.message);
  record.candidateId = hop.context.candidateId;
  record.requestId = hop.context.requestId;
  const path = pathOf(incoming);
  const admitted = policy.admit(hop.context.candidateId, path);
  if (!admitted.ok) {
    return admitted.reason === 'unknown_candidate'
      ? denial(
          403,
          admitted.reason,
          'this provider has no such candidate; its overlay may be older than its policy',
        )
      : notFound('path_not_allowed', 'this candidate does not serve this path');
  }
  record.route = path;
  const collected = await collectBody(incoming, { maxBytes: config.limits.requestBodyBytes });
  if (!collected.ok) {
    if (collected.reason === 'client_gone') return 'client_gone';
    return denial(
      413,
      'request_too_large',
      `the request body is longer than ${config.limits.requestBodyBytes} bytes`,
    );
  }
  const identified = identifyModel(collected.body);
  if (!identified.ok) return identified.denial;
  record.model = identified.model;
  const served = policy.serves(admitted.route, identified.model);
  if (!served.ok) return notFound('model_not_allowed', 'this candidate does not serve this model', 'model');
  return { route: served.route, hop: hop.context, body: collected.body };
}

function notFound(code: Denial['code'], message: string, param: string | null = null): Denial {
  return denial(404, code, message, param);
}

/** Path of the request target, without the query string; matched byte by byte. */
function pathOf(incoming: IncomingMessage): string {
  const target = incoming.url ?? '';
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function answer({ incoming, outgoing, record }: Exchange, failure: Denial): void {
  record.code = failure.code;
  record.status = failure.status;
  record.outcome =
    failure.status < 500 ? 'denied' : failure.code === 'gateway_error' ? 'gateway_error' : 'upstream_error';
  if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
  else record.bytes = deny(incoming, outgoing, failure);
}

function report({ clock, metrics, lines, config }: Pipeline, { record, spans }: Exchange): void {
  if (record.outcome === 'canceled') record.status = CLIENT_CLOSED_REQUEST;
  record.totalMs = clock.monotonicMs() - record.startedMs;
  metrics.requestEnded(record, spans?.sampledTraceId);
  lines.write(accessLine(record, config.providerId));
  spans?.end(record);
}
