import type { RequestRecord } from '../pipeline/request-record.ts';

/** A finished request as the access log shows it: never a body or a credential. */
export function accessLine(record: RequestRecord, providerId: string): Record<string, unknown> {
  return {
    event: 'request',
    n: record.n,
    startedAt: new Date(record.startedAtMs).toISOString(),
    traceId: record.traceId,
    requestId: record.requestId,
    providerId,
    candidateId: record.candidateId,
    route: record.route,
    model: record.model,
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
