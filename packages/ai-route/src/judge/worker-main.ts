// Entry point of the worker thread that reads and judges large documents. See overlay-worker.ts for the other end.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { readBounded } from '../reload/read-bounded.ts';
import { planBuffers } from '../snapshot/index-plan.ts';
import { judgeDocument } from './judge-document.ts';
import { overlayBuffers, packOverlay } from './packed-overlay.ts';
import type { FileToJudge, WorkerJob, WorkerReply } from './protocol.ts';

/** As `nice` has it: a reload may take longer, requests that want the same core may not. */
const WORKER_PRIORITY = 10;

if (parentPort !== null) letRequestsGoFirst();

parentPort?.on('message', ({ id, ...input }: WorkerJob) => {
  // What goes wrong here ends the thread, and that is how the other end learns of it.
  void judged(input).then((answer) => {
    parentPort?.postMessage({ id, judged: answer.judged } satisfies WorkerReply, answer.handOver);
  });
});

async function judged({
  file,
  bytesMax,
  parse,
  seen,
  keepBytes,
}: FileToJudge): Promise<{ readonly judged: WorkerReply['judged']; readonly handOver: ArrayBuffer[] }> {
  const read = await readBounded(file, bytesMax);
  if (!read.ok) return { judged: read, handOver: [] };
  const judgement = judgeDocument({ bytes: read.bytes, parse, seen });
  const bytes = keepBytes ? read.bytes : undefined;
  const document = bytes === undefined ? [] : [bytes.buffer as ArrayBuffer];
  if (judgement.kind !== 'valid') return { judged: { ok: true, judgement, bytes }, handOver: document };
  const overlay = packOverlay(judgement.overlay);
  return {
    judged: { ok: true, judgement: { ...judgement, overlay }, bytes },
    handOver: [...document, ...overlayBuffers(overlay), ...planBuffers(judgement.plan)],
  };
}

/**
 * Lowers the priority of this thread alone, where threads have one of their own: Linux, whose setpriority takes the
 * id of a thread. Elsewhere the thread competes with the requests when there is no core to spare.
 */
function letRequestsGoFirst(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, WORKER_PRIORITY);
  } catch {
    // Not Linux, or not allowed: what the thread is for works all the same.
  }
}
