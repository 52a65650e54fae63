import type { RoutingOverlay } from '../snapshot/routing-overlay.ts';
import { unpackOverlay } from './packed-overlay.ts';
import type { FileToJudge, JudgedFile, WorkerReply } from './protocol.ts';
import { type OpenWorker, openWorker, WorkerProcess } from './worker-process.ts';

/** What the worker found. */
export type WorkerAnswer = JudgedFile<RoutingOverlay>;

/**
 * Reads and judges files in a process of its own, one at a time. The process is started with the first file and kept; it
 * keeps this one alive only while it has work.
 */
export class OverlayWorker {
  readonly #open: OpenWorker;
  #worker: WorkerProcess | undefined;
  #lastId = 0;
  #waiting: Waiting | undefined;

  constructor(open: OpenWorker = openWorker) {
    this.#open = open;
  }

  /**
   * Reads and judges a file. A later call supersedes this one, whose answer is then dropped. A process that ends
   * over a file, for want of memory say, is a failure to read that file; the next call starts another one.
   *
   * @returns undefined when superseded or closed.
   * @throws Error when the process can't be started.
   */
  judge(input: FileToJudge): Promise<WorkerAnswer | undefined> {
    this.#settle((waiting) => waiting.resolve(undefined));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      try {
        const worker = this.#started();
        this.#waiting = { id, file: input.file, resolve, reject };
        worker.send({ ...input, id });
      } catch (error) {
        this.#waiting = undefined;
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Ends the process, with whatever it is doing. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#settle((waiting) => waiting.resolve(undefined));
    await worker?.stop();
  }

  #started(): WorkerProcess {
    if (this.#worker !== undefined) return this.#worker;
    const worker: WorkerProcess = new WorkerProcess(this.#open, {
      reply: (reply) => this.#answer(worker, reply),
      ended: (error) => this.#ended(worker, error),
    });
    this.#worker = worker;
    return worker;
  }

  #answer(worker: WorkerProcess, { id, judged }: WorkerReply): void {
    if (id !== this.#waiting?.id) return;
    worker.rest();
    this.#settle((waiting) => waiting.resolve(unpacked(judged)));
  }

  #ended(worker: WorkerProcess, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#settle(({ file, resolve, reject }) => {
      if (!worker.ready) reject(error);
      else resolve({ ok: false, code: 'worker_died', message: `${file} can't be judged: ${error.message}` });
    });
  }

  #settle(how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) how(waiting);
  }
}

function unpacked(judged: WorkerReply['judged']): WorkerAnswer {
  if (!judged.ok || judged.judgement.kind !== 'valid') return judged as WorkerAnswer;
  const { judgement } = judged;
  return { ...judged, judgement: { ...judgement, overlay: unpackOverlay(judgement.overlay) } };
}

interface Waiting {
  readonly id: number;
  readonly file: string;
  readonly resolve: (answer: WorkerAnswer | undefined) => void;
  readonly reject: (error: Error) => void;
}
