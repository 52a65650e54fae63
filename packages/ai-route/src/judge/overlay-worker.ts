import { Worker } from 'node:worker_threads';
import type { RoutingOverlay } from '../snapshot/routing-overlay.ts';
import { unpackOverlay } from './packed-overlay.ts';
import type { FileToJudge, JudgedFile, WorkerJob, WorkerReply } from './protocol.ts';

/** Starts the worker thread; tests start it from the sources. */
export type OpenWorker = () => Worker;

/** What the worker found. */
export type WorkerAnswer = JudgedFile<RoutingOverlay>;

/**
 * Reads and judges files on a thread of its own, one at a time. The thread is started with the first file and kept; it
 * keeps the process alive only while it has work.
 */
export class OverlayWorker {
  readonly #open: OpenWorker;
  #worker: Worker | undefined;
  #lastId = 0;
  #waiting: Waiting | undefined;

  constructor(open: OpenWorker = openWorker) {
    this.#open = open;
  }

  /**
   * Reads and judges a file. A later call supersedes this one, whose answer is then dropped.
   *
   * @returns undefined when superseded or closed.
   * @throws Error when the thread can't be started or has died. Another call starts another one.
   */
  judge(input: FileToJudge): Promise<WorkerAnswer | undefined> {
    this.#settle((waiting) => waiting.resolve(undefined));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      try {
        const worker = this.#started();
        this.#waiting = { id, resolve, reject };
        worker.ref();
        worker.postMessage({ ...input, id } satisfies WorkerJob);
      } catch (error) {
        this.#waiting = undefined;
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Ends the thread, with whatever it is doing. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#settle((waiting) => waiting.resolve(undefined));
    await worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#open();
    worker.on('message', (reply: WorkerReply) => this.#answer(reply));
    worker.on('error', (error) => this.#died(worker, error));
    worker.on('exit', (code) => this.#died(worker, new Error(`the overlay worker ended with code ${code}`)));
    this.#worker = worker;
    return worker;
  }

  #answer({ id, judged }: WorkerReply): void {
    if (id !== this.#waiting?.id) return;
    this.#worker?.unref();
    this.#settle((waiting) => waiting.resolve(unpacked(judged)));
  }

  #died(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#settle((waiting) => waiting.reject(error));
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
  readonly resolve: (answer: WorkerAnswer | undefined) => void;
  readonly reject: (error: Error) => void;
}

function openWorker(): Worker {
  // Written out like this, bundlers find the file and bring it along.
  return new Worker(new URL('./worker-main.js', import.meta.url), { name: 'switchyard-overlay' });
}
