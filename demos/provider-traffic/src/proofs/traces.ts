import type { BackendReply, Proof, RequestRecord, SpanRecord } from '@switchyard/demo-kit';
import type { Records } from '../records/types.ts';

/** What is wrong with one request's trace. */
interface Fault {
  readonly n: number;
  readonly traceId: string;
  readonly problem: string;
}

/** Proof 1: one consumer gateway process received every measured request, once. */
export function proveOneGateway({ requests, spans }: Records): Proof {
  const traces = new Set(requests.map((request) => request.traceId));
  const received = spans.filter(
    (span) => span.service === 'consumer-gateway' && span.kind === 'server' && traces.has(span.traceId),
  );
  const instances = [...new Set(received.map((span) => span.instance))];
  return {
    id: 'one-gateway',
    title: 'One consumer gateway received all measured traffic',
    passed:
      requests.length > 0 &&
      instances.length === 1 &&
      received.length === requests.length &&
      traces.size === requests.length,
    summary: `${received.length} SERVER spans for ${requests.length} requests, all of ${instances.join(' and ')}`,
    facts: { requests: requests.length, serverSpans: received.length, gatewayInstances: instances },
  };
}

/**
 * Proof 7: each trace shows client, consumer gateway, selected provider and backend, each the child of the one before,
 * and nothing else; and that backend logged that one reply for that provider.
 */
export function proveTraces({ requests, spans, replies, observations }: Records): Proof {
  const spansOf = groupByTrace(spans);
  const repliesOf = groupByTrace(replies);
  const faults: Fault[] = [];
  for (const request of requests) {
    const { traceId } = request;
    const backend = observations.backends[request.provider ?? ''] ?? 'unknown';
    const problem =
      faultOfSpans(request, spansOf.get(traceId) ?? [], backend) ??
      faultOfReplies(request, repliesOf.get(traceId) ?? [], backend);
    if (problem !== null) faults.push({ n: request.n, traceId, problem });
  }
  return {
    id: 'traces',
    title: 'Traces show client, consumer gateway, selected provider and backend',
    passed: requests.length > 0 && faults.length === 0,
    summary:
      faults.length === 0
        ? `${requests.length} of ${requests.length} traces are whole, from the client's span to the backend's`
        : `${faults.length} of ${requests.length} traces are not whole, first: request ${faults[0]?.n}, ${faults[0]?.problem}`,
    facts: {
      traces: requests.length,
      complete: requests.length - faults.length,
      spans: spans.length,
      faults: faults.slice(0, 3),
    },
  };
}

function groupByTrace<T extends { readonly traceId: string | null }>(
  records: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    if (record.traceId === null) continue;
    const group = groups.get(record.traceId);
    if (group === undefined) groups.set(record.traceId, [record]);
    else group.push(record);
  }
  return groups;
}

/** The hops of one request, from the outside in; each span's parent must be the one before. */
function faultOfSpans(request: RequestRecord, spans: readonly SpanRecord[], backend: string): string | null {
  const provider = request.provider ?? '';
  const hops = [
    { service: 'demo-client', kind: 'client', instance: null },
    { service: 'consumer-gateway', kind: 'server', instance: null },
    { service: 'consumer-gateway', kind: 'client', instance: null },
    { service: 'provider-gateway', kind: 'server', instance: provider },
    { service: 'provider-gateway', kind: 'client', instance: provider },
    { service: 'vcr-backend', kind: 'server', instance: backend },
  ] as const;
  let parent: string | null = null;
  let consumer: string | null = null;
  for (const hop of hops) {
    const span = spans.find(
      (candidate) =>
        candidate.service === hop.service &&
        candidate.kind === hop.kind &&
        candidate.parentSpanId === parent &&
        (hop.instance === null || candidate.instance === hop.instance),
    );
    if (span === undefined)
      return `no ${hop.kind} span of ${hop.service}${hop.instance === null ? '' : ` (${hop.instance})`} under its parent`;
    parent = span.spanId;
    consumer ??= span.service === 'consumer-gateway' ? span.spanId : null;
  }
  const select = spans.find(
    (span) =>
      span.name === 'routing.select' && span.service === 'consumer-gateway' && span.parentSpanId === consumer,
  );
  if (select === undefined) return "no routing.select span under the consumer gateway's";
  if (select.attributes['selected.provider'] !== provider) return 'routing.select names another provider';
  const whole = hops.length + 1;
  return spans.length === whole ? null : `${spans.length} spans instead of ${whole}`;
}

function faultOfReplies(
  { provider }: RequestRecord,
  replies: readonly BackendReply[],
  backend: string,
): string | null {
  const [reply] = replies;
  if (reply === undefined || replies.length > 1) return `${replies.length} replies logged by backends`;
  const { attribution, status } = reply;
  if (reply.backend === backend && attribution === provider && status === 200) return null;
  return `${reply.backend} logged status ${status} for ${attribution}, instead of ${backend} 200 for ${provider}`;
}
