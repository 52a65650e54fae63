import type { BackendReply, Counts, RequestRecord, SpanRecord } from '../records.ts';

/** Provider name to the name of the backend behind it. */
type Backends = Readonly<Record<string, string>>;

/** Counts names. Every provider of the topology starts at zero, so that one without traffic shows as 0. */
export function tally(providers: readonly string[], named: readonly (string | null)[]): Counts {
  const counts: Record<string, number> = Object.fromEntries(providers.map((provider) => [provider, 0]));
  for (const provider of named) {
    const key = provider ?? '(none)';
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Counted from the answers that the client received. */
export function countByClient(requests: readonly RequestRecord[], backends: Backends): Counts {
  return tally(
    Object.keys(backends),
    requests.map((request) => request.provider),
  );
}

/** Counted from the consumer gateway's own `routing.select` spans of the measured traces. */
export function countByGateway(
  spans: readonly SpanRecord[],
  traces: ReadonlySet<string>,
  backends: Backends,
): Counts {
  const chosen = spans.filter(
    (span) =>
      span.name === 'routing.select' && span.service === 'consumer-gateway' && traces.has(span.traceId),
  );
  return tally(
    Object.keys(backends),
    chosen.map((span) => String(span.attributes['selected.provider'] ?? '(none)')),
  );
}

/** Counted by which backend process logged the reply, whatever the headers said. */
export function countByBackend(
  replies: readonly BackendReply[],
  traces: ReadonlySet<string>,
  backends: Backends,
): Counts {
  const providerOf = new Map(Object.entries(backends).map(([provider, backend]) => [backend, provider]));
  return tally(
    Object.keys(backends),
    replies
      .filter((reply) => reply.traceId !== null && traces.has(reply.traceId))
      .map((reply) => providerOf.get(reply.backend) ?? null),
  );
}

/** Whether two counts name the same providers with the same numbers. */
export function sameCounts(a: Counts, b: Counts): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => (a[key] ?? 0) === (b[key] ?? 0));
}
