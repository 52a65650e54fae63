// Entry point of the process that reads and judges large documents. See worker-process.ts for the other end.
import { setPriority } from 'node:os';
import { readBounded } from '../reload/read-bounded.ts';
import { encodeFrame, FrameReader } from './frame.ts';
import { judgeDocument } from './judge-document.ts';
import { packOverlay } from './packed-overlay.ts';
import type { FileToJudge, WorkerJob, WorkerMessage, WorkerReply } from './protocol.ts';

/** As `nice` has it: a reload may take longer, requests that want the same core may not. */
const WORKER_PRIORITY = 10;

process.title = 'switchyard-overlay';
letRequestsGoFirst();
// Sent to the whole group they are meant for the gateway, which may well drain before it goes; this process goes with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const reader = new FrameReader((job) => {
  const { id, ...input } = job as WorkerJob;
  // What goes wrong here ends the process, and that is how the other end learns of it.
  void judged(input).then((answer) => send({ id, judged: answer }));
});
process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
process.stdin.on('end', () => process.exit());
process.stdout.on('error', () => process.exit());
send('ready');

function send(message: WorkerMessage): void {
  for (const part of encodeFrame(message)) process.stdout.write(part);
}

async function judged(input: FileToJudge): Promise<WorkerReply['judged']> {
  const { file, bytesMax, parse, seen, keepBytes } = input;
  const read = await readBounded(file, bytesMax);
  if (!read.ok) return read;
  const judgement = judgeDocument({ bytes: read.bytes, parse, seen });
  const bytes = keepBytes ? read.bytes : undefined;
  if (judgement.kind !== 'valid') return { ok: true, judgement, bytes };
  return { ok: true, judgement: { ...judgement, overlay: packOverlay(judgement.overlay) }, bytes };
}

function letRequestsGoFirst(): void {
  try {
    setPriority(WORKER_PRIORITY);
  } catch {
    // Not allowed: what the process is for works all the same.
  }
}
