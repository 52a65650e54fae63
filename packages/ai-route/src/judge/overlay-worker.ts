import { Worker } from 'node:worker_threads';
import type { JudgeInput, Judgement } from './judge-document.ts';
import { unpackOverlay } from './packed-overlay.ts';
import type { WorkerJob, WorkerReply } from './protocol.ts';

/** Starts the worker thread; tests start it from the sources. */
export type OpenWorker = () => Worker;

/** What came back from the worker. */
export interface WorkerAnswer {
  readonly judgement: Judgement;
  readonly bytes: Uint8Array;
}

/**
 * Judges documents on a thread of its own, one at a time. The thread is started with the first document and kept; it
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
   * Judges a document. Its memory is handed over: `input.bytes` can't be read afterwards, those of the answer can.
   * A later call supersedes this one, whose answer is then dropped.
   *
   * @returns undefined when superseded or closed.
   * @throws Error when the thread can't be started or has died. Another call starts another one.
   */
  judge(input: JudgeInput): Promise<WorkerAnswer | undefined> {
    this.#settle((waiting) => waiting.resolve(undefined));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      try {
        const worker = this.#started();
        this.#waiting = { id, resolve, reject };
        worker.ref();
        const job: WorkerJob = { id, bytes: input.bytes, parse: input.parse, seen: input.seen };
        worker.postMessage(job, [input.bytes.buffer as ArrayBuffer]);
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

  #answer({ id, judgement, bytes }: WorkerReply): void {
    if (id !== this.#waiting?.id) return;
    this.#worker?.unref();
    const unpacked: Judgement =
      judgement.kind === 'valid' ? { ...judgement, overlay: unpackOverlay(judgement.overlay) } : judgement;
    this.#settle((waiting) => waiting.resolve({ judgement: unpacked, bytes }));
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

interface Waiting {
  readonly id: number;
  readonly resolve: (answer: WorkerAnswer | undefined) => void;
  readonly reject: (error: Error) => void;
}

function openWorker(): Worker {
  // Written out like this, bundlers find the file and bring it along.
  return new Worker(new URL('./worker-main.js', import.meta.url), { name: 'switchyard-overlay' });
}
