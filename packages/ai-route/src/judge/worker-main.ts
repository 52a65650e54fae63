// Entry point of the worker thread that judges large documents. See overlay-worker.ts for the other end.
import { parentPort } from 'node:worker_threads';
import { judgeDocument } from './judge-document.ts';
import { packOverlay, transferables } from './packed-overlay.ts';
import type { WorkerJob, WorkerReply } from './protocol.ts';

parentPort?.on('message', (job: WorkerJob) => {
  const { id, bytes } = job;
  const judgement = judgeDocument(job);
  const back = [bytes.buffer as ArrayBuffer];
  if (judgement.kind !== 'valid') {
    parentPort?.postMessage({ id, judgement, bytes } satisfies WorkerReply, back);
    return;
  }
  const overlay = packOverlay(judgement.overlay);
  const { rows, groupEnds, capabilityEnds } = judgement.plan;
  const reply: WorkerReply = { id, judgement: { ...judgement, overlay }, bytes };
  parentPort?.postMessage(reply, [
    ...back,
    ...transferables(overlay),
    rows.buffer,
    groupEnds.buffer,
    capabilityEnds.buffer,
  ]);
});
