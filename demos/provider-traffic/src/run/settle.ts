import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FILES, lines } from '../records/evidence.ts';
import { readSpans } from '../records/spans.ts';
import type { BackendReply, RequestRecord } from '../records/types.ts';

/** Spans of one request: client, consumer server, select and client, provider server and client, backend server. */
const SPANS_PER_REQUEST = 7;
/** Exporters send in batches every 200 ms; past this time a missing span is missing, in milliseconds. */
const SETTLE_MS = 8_000;
const POLL_MS = 100;

/** What is waited for. */
export interface SettleOptions {
  readonly directory: string;
  readonly requests: readonly RequestRecord[];
  /** Filled by the running backends. */
  readonly replies: readonly BackendReply[];
  readonly signal: AbortSignal;
}

/**
 * Waits until the spans of every request and the backends' log lines have arrived, at most {@link SETTLE_MS}.
 * What is still missing then stays missing, and the proofs will say so.
 */
export async function settle({ directory, requests, replies, signal }: SettleOptions): Promise<void> {
  const traces = new Set(requests.map((request) => request.traceId));
  for (let waitedMs = 0; waitedMs < SETTLE_MS; waitedMs += POLL_MS) {
    const spans = readSpans(lines(await readFile(join(directory, FILES.spans), 'utf8').catch(() => '')));
    const arrived = spans.filter((span) => traces.has(span.traceId)).length;
    const logged = replies.filter((reply) => reply.traceId !== null && traces.has(reply.traceId)).length;
    if (arrived >= requests.length * SPANS_PER_REQUEST && logged >= requests.length) return;
    await sleep(POLL_MS, undefined, { signal });
  }
}
