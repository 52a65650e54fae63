import type { BackendReply } from '../records.ts';

/** Reads one `reply` event of a backend's standard output. */
export function readReply(backend: string, reply: Readonly<Record<string, unknown>>): BackendReply {
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  return {
    backend,
    traceId: text(reply['traceId']),
    attribution: text(reply['attribution']),
    status: Number(reply['status'] ?? 0),
  };
}
