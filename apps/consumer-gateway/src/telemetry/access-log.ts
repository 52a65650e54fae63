import type { RequestRecord } from '../pipeline/request-record.ts';

/** Writes one JSON line per request. Never a body, a credential or a session key. */
export interface AccessLog {
  write(record: RequestRecord): void;
  /** Writes what is still held back. */
  flush(): void;
}

/**
 * Lines of one turn of the event loop leave in one write, so that a busy gateway makes few system calls.
 * @param write - Takes text that ends with a newline.
 */
export function createAccessLog(write: (text: string) => void): AccessLog {
  let pending = '';
  const flush = (): void => {
    if (pending === '') return;
    const text = pending;
    pending = '';
    write(text);
  };
  return {
    write(record) {
      if (pending === '') setImmediate(flush);
      pending += `${JSON.stringify(accessLine(record))}\n`;
    },
    flush,
  };
}

/** A finished request as the access log shows it. */
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
