import { commitPoint, type GenAiCall, genAiCall, ModelCall } from '@switchyard/gateway-kit';
import { type ForwardOutcome, forward, withoutCredentialParameters } from '@switchyard/proxy-core-http';
import type { LeaseOutcome } from '@switchyard/proxy-core-lb';
import { backendHeaders, peerHeaders } from '../policy/backend-headers.ts';
import { type Denial, denial } from './denial.ts';
import type { Admitted, Exchange, Pipeline } from './pipeline.ts';

/** Leases a backend, forwards to it and releases the lease; returns what to answer when nothing was sent. */
export async function callBackend(
  pipeline: Pipeline,
  exchange: Exchange,
  { route, api, hop, asked, body }: Admitted,
): Promise<Denial | undefined> {
  const { incoming, outgoing, record, spans } = exchange;
  // Before the lease: from there on nothing may throw, or the lease would never be released.
  const headers = backendHeaders(incoming.rawHeaders, pipeline.config.providerId, hop);
  const picked = pipeline.clusters.get(route.cluster)?.cluster.pick();
  const metadata = picked?.kind === 'picked' ? picked.lease.endpoint.metadata : undefined;
  if (picked?.kind !== 'picked' || metadata === undefined) {
    return denial(503, 'backend_unavailable', 'every backend of this provider is drained');
  }
  const path = record.route ?? '/';
  const call = genAiCall(path);
  const span = spans?.callBackend({ origin: metadata.origin, route: path, model: route.model, call, hop });
  span?.inject(headers);
  const watched = watchCall(pipeline, call, route.model);
  const { firstByteMs, idleMs, totalMs } = pipeline.config.timeouts;
  const outcome = await forward({
    upstream: metadata.upstream,
    outgoing,
    request: {
      method: incoming.method ?? 'POST',
      path: withoutCredentialParameters(incoming.url ?? '/'),
      headers,
      // No body at all: a GET with an empty one would announce its length.
      body: body.length === 0 && incoming.method !== 'POST' ? null : body,
      once: !asked.repeatable,
    },
    timeouts: { firstByteMs, idleMs: asked.openEnded ? 0 : idleMs, totalMs },
    judge: ({ status, headers: list }) => {
      watched?.head(status, list);
      return commitPoint(api, list);
    },
    responseHeaders: peerHeaders,
    onPiece: () => watched?.piece() ?? false,
    onFirstByte: () => {
      record.ttfbMs = pipeline.clock.monotonicMs() - record.startedMs;
    },
  });
  picked.lease.release(leaseOutcome(outcome));
  watched?.end(outcome, spans?.sampledTraceId);
  span?.end(outcome, () => watched?.attributes(pipeline.telemetry.genAi) ?? {});
  return settle(exchange, outcome);
}

function watchCall(
  { metrics, clock }: Pipeline,
  call: GenAiCall | undefined,
  model: string,
): ModelCall | undefined {
  return (
    call && new ModelCall({ metrics: metrics.genAi, call, model, monotonicMs: () => clock.monotonicMs() })
  );
}

/** A backend that answered 5xx, broke off or was not there has failed; what the peer did is not its fault. */
function leaseOutcome(outcome: ForwardOutcome): LeaseOutcome {
  switch (outcome.kind) {
    case 'completed':
    case 'rejected':
      return outcome.status < 500 ? 'success' : 'failure';
    case 'failed':
      return outcome.reason === 'local' ? 'canceled' : 'failure';
    case 'broken':
      return 'failure';
    case 'client_gone':
      return 'canceled';
  }
}

function settle({ record }: Exchange, outcome: ForwardOutcome): Denial | undefined {
  switch (outcome.kind) {
    case 'completed':
      record.status = outcome.status;
      record.bytes = outcome.responseBytes;
      record.outcome = outcome.status < 400 ? 'success' : 'upstream_error';
      return undefined;
    case 'broken':
      record.status = outcome.status;
      record.bytes = outcome.responseBytes;
      record.outcome = 'upstream_error';
      return undefined;
    case 'client_gone':
      record.outcome = 'canceled';
      return undefined;
    case 'rejected':
      return denial(500, 'gateway_error', 'an answer was thrown away without a judge');
    case 'failed':
      return failed(outcome);
  }
}

function failed({ reason, error }: Extract<ForwardOutcome, { kind: 'failed' }>): Denial {
  switch (reason) {
    case 'first_byte_timeout':
      return denial(504, 'backend_timeout', `the backend did not begin to answer in time: ${error.message}`);
    case 'local':
      return denial(500, 'gateway_error', 'the request could not be sent to the backend');
    case 'connect':
    case 'reset':
    case 'invalid_response':
      return denial(502, 'backend_unavailable', `the backend could not answer (${reason})`);
  }
}
