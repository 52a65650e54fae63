import {
  type ApiRoute,
  encodedBody,
  type MatchedRoute,
  matchApiRoute,
  pathOfTarget,
  readAsked,
  traceIdOf,
} from '@switchyard/gateway-kit';
import { collectBody } from '@switchyard/proxy-core-http';
import { readHopContext } from '../policy/hop-context.ts';
import { accessLine } from '../telemetry/access-line.ts';
import { RequestSpans } from '../telemetry/request-spans.ts';
import { callBackend } from './call-backend.ts';
import { type Denial, denial, deny } from './denial.ts';
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
  const matched = matchRoute(incoming.url ?? '');
  const exchange: Asking = { incoming, outgoing, record, spans, matched, context: { heldBytes: 0 } };
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

/** What a request is judged by, what is said of it when it is refused, and what it holds. */
interface Asking extends Exchange {
  readonly matched: MatchedRoute;
  readonly context: { rpcId?: string | undefined; heldBytes: number };
}

/** Hop headers, candidate, path and method before the body is read; the model or tool after. */
async function judge(pipeline: Pipeline, asking: Asking): Promise<Admitted | Denial | 'client_gone'> {
  const { policy } = pipeline;
  const { incoming, record, matched } = asking;
  const hop = readHopContext(incoming.rawHeaders);
  if (!hop.ok) return denial(403, 'invalid_hop_headers', hop.message);
  record.candidateId = hop.context.candidateId;
  record.requestId = hop.context.requestId;
  const { path, methods } = matched.route;
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
  if (!(methods as readonly (string | undefined)[]).includes(incoming.method)) {
    const refused = denial(405, 'method_not_allowed', `this path takes ${methods.join(' or ')}`);
    return { ...refused, allow: methods.join(', ') };
  }
  return judgeBody(pipeline, asking, { route: admitted.route, hop: hop.context });
}

/** A request that names no model (a stored response, what MCP clients send besides calls) is the candidate's to serve. */
async function judgeBody(
  { policy, config, budget }: Pipeline,
  { incoming, record, matched, context }: Asking,
  { route, hop }: Pick<Admitted, 'route' | 'hop'>,
): Promise<Admitted | Denial | 'client_gone'> {
  const { rawHeaders: headers } = incoming;
  const encoded = encodedBody(headers);
  if (encoded !== undefined) return denial(415, 'unsupported_content_encoding', encoded);
  const maxBytes = config.limits.requestBodyBytes;
  const collected = await collectBody(incoming, { maxBytes, budget });
  if (!collected.ok) return notCollected(collected.reason, maxBytes);
  const { body } = collected;
  context.heldBytes = body.length;
  const { method = '', url: target = '' } = incoming;
  const read = readAsked({ ...matched, method, target, headers, body, modelHeader: config.modelHeader });
  context.rpcId = read.ok ? read.asked.rpcId : read.problem.rpcId;
  if (!read.ok) return denial(400, read.problem.code, read.problem.message, read.problem.param);
  const { name } = read.asked;
  record.model = name ?? route.model;
  const served = name === undefined || policy.serves(route, name).ok;
  if (!served) return notFound('model_not_allowed', 'this candidate does not serve this model', 'model');
  return { route, api: matched.route, hop, asked: read.asked, body };
}

function notCollected(
  reason: 'too_large' | 'no_room' | 'client_gone',
  maxBytes: number,
): Denial | 'client_gone' {
  switch (reason) {
    case 'client_gone':
      return reason;
    case 'too_large':
      return denial(413, 'request_too_large', `the request body is longer than ${maxBytes} bytes`);
    case 'no_room': {
      const message = 'this gateway holds as many bytes of request bodies as it may; nothing was sent on';
      return { ...denial(503, 'gateway_busy', message), retryAfterSeconds: 1 };
    }
  }
}

function notFound(code: Denial['code'], message: string, param: string | null = null): Denial {
  return denial(404, code, message, param);
}

/**
 * A configured path that is none of the APIs' is taken for one with a JSON body. The place for an id is not to be asked
 * for by its name: the policy lists it, but allows what stands for it.
 */
function matchRoute(target: string): MatchedRoute {
  const asked = pathOfTarget(target);
  const path = asked.includes('{') ? '' : asked;
  return matchApiRoute(path) ?? { route: { ...OTHER_PATH, path }, id: undefined };
}

const OTHER_PATH: Omit<ApiRoute, 'path'> = {
  methods: ['POST'],
  askedIn: 'json',
  errorShape: 'openai',
  createsResponse: false,
};

/** Answers above 499 for which no backend is to blame. */
const OWN_FAULTS: ReadonlySet<string> = new Set(['gateway_error', 'gateway_busy']);

function answer({ incoming, outgoing, record, matched, context }: Asking, failure: Denial): void {
  record.code = failure.code;
  record.status = failure.status;
  record.outcome =
    failure.status < 500 ? 'denied' : OWN_FAULTS.has(failure.code) ? 'gateway_error' : 'upstream_error';
  if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
  else {
    const { errorShape: shape } = matched.route;
    const told = { shape, requestId: record.requestId ?? undefined, rpcId: context.rpcId };
    record.bytes = deny(incoming, outgoing, { denial: failure, context: told });
  }
}

function report(
  { clock, metrics, lines, config, budget }: Pipeline,
  { record, spans, context }: Asking,
): void {
  budget.give(context.heldBytes);
  if (record.outcome === 'canceled') record.status = CLIENT_CLOSED_REQUEST;
  record.totalMs = clock.monotonicMs() - record.startedMs;
  metrics.requestEnded(record, spans?.sampledTraceId);
  lines.write(accessLine(record, config.providerId));
  spans?.end(record);
}
