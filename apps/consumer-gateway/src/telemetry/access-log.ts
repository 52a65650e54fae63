import type { RequestRecord } from '../pipeline/request-record.ts';

/** A finished request as the access log shows it: never a body, a credential or a session key. */
export function accessLine(record: RequestRecord): Record<string, unknown> {
  const { decision } = record;
  return {
    event: 'request',
    n: record.n,
    startedAt: new Date(record.startedAtMs).toISOString(),
    traceId: record.traceId,
    requestId: record.requestId,
    route: record.route,
    model: record.model,
    provider: decision?.candidate.cluster ?? null,
    site: decision?.candidate.site ?? null,
    stableId: decision?.candidate.stableId ?? null,
    group: decision?.group ?? null,
    policy: decision?.policy ?? null,
    affinity: decision?.affinity ?? null,
    reason: decision?.reason ?? null,
    fallthrough: decision?.fallthrough ?? null,
    revision: decision?.servingRevision ?? null,
    attempts: record.attempts,
    tried: record.tried,
    status: record.status,
    code: record.code,
    ttfbMs: rounded(record.ttfbMs),
    totalMs: rounded(record.totalMs),
    bytes: record.bytes,
    outcome: record.outcome,
  };
}

/** Microseconds are enough for a reader and keep lines short. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
