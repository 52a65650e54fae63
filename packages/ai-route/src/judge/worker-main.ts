// Entry point of the process that reads and judges large documents. See worker-process.ts for the other end.
import { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { readBounded } from '../reload/read-bounded.ts';
import { encodeFrame, FrameReader } from './frame.ts';
import { judgeDocument } from './judge-document.ts';
import { packOverlay } from './packed-overlay.ts';
import {
  type FileToJudge,
  REPLIES_FD,
  type WorkerJob,
  type WorkerMessage,
  type WorkerReply,
} from './protocol.ts';

/** As `nice` has it: a reload may take longer, requests that want the same core may not. */
const WORKER_PRIORITY = 10;

process.title = 'switchyard-overlay';
// Sent to the whole group they are meant for the gateway, which may well drain before it goes; this process goes with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const reader = new FrameReader((job) => {
  const { id, ...input } = job as WorkerJob;
  // What goes wrong here ends the process, and that is how the other end learns of it.
  void judged(input).then((answer) => send({ id, judged: answer }));
});
const replies = new Socket({ fd: REPLIES_FD });
replies.on('error', () => process.exit());
process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
process.stdin.on('end', () => process.exit());
letRequestsGoFirst();
send('ready');

function send(message: WorkerMessage): void {
  for (const part of encodeFrame(message)) replies.write(part);
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

/** Of this thread alone, on Linux, and it does all the work. Not before: to be slow in starting helps nobody. */
function letRequestsGoFirst(): void {
  try {
    setPriority(Math.max(getPriority(), WORKER_PRIORITY));
  } catch {
    // Not allowed: what the process is for works all the same.
  }
}
