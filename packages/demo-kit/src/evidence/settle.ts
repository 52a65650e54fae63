import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendReply, RequestRecord } from '../records.ts';
import { readSpans } from './spans.ts';
import { lines } from './text.ts';

/** Exporters send in batches every 200 ms; past this time a missing span is missing, in milliseconds. */
const SETTLE_MS = 8_000;
const POLL_MS = 100;

/** What is waited for. */
export interface SettleOptions {
  /** File that takes the spans, a line an export. */
  readonly spansFile: string;
  readonly requests: readonly RequestRecord[];
  /** How many spans the requests must have together. */
  readonly spans: number;
  /** Filled by the running backends. */
  readonly replies: readonly BackendReply[];
  /** How many of them the requests must have. */
  readonly answered: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until the spans of every request and the backends' log lines have arrived, at most 8 s. What is still missing
 * then stays missing, and the proofs will say so.
 */
export async function settle(options: SettleOptions): Promise<void> {
  const traces = new Set(options.requests.map((request) => request.traceId));
  for (let waitedMs = 0; waitedMs < SETTLE_MS; waitedMs += POLL_MS) {
    const spans = readSpans(lines(await readFile(options.spansFile, 'utf8').catch(() => '')));
    const arrived = spans.filter((span) => traces.has(span.traceId)).length;
    const logged = options.replies.filter(({ traceId }) => traceId !== null && traces.has(traceId)).length;
    if (arrived >= options.spans && logged >= options.answered) return;
    await sleep(POLL_MS, undefined, { signal: options.signal });
  }
}
