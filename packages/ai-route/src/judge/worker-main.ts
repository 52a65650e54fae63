// Entry point of the worker thread that reads and judges large documents. See overlay-worker.ts for the other end.
import { parentPort } from 'node:worker_threads';
import { readBounded } from '../reload/read-bounded.ts';
import { judgeDocument } from './judge-document.ts';
import { packOverlay, transferables } from './packed-overlay.ts';
import type { FileToJudge, WorkerJob, WorkerReply } from './protocol.ts';

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
  const { rows, groupEnds, capabilityEnds } = judgement.plan;
  return {
    judged: { ok: true, judgement: { ...judgement, overlay }, bytes },
    handOver: [...document, ...transferables(overlay), rows.buffer, groupEnds.buffer, capabilityEnds.buffer],
  };
}
