import type { ParseOverlayOptions } from '@switchyard/overlay-contract';
import { type Judgement, judgeDocument } from './judge-document.ts';
import { type OpenWorker, OverlayWorker } from './overlay-worker.ts';

/** Up to this size a document is judged where it was read: a few milliseconds at most, about what handing it over costs. */
const INLINE_BYTES_MAX = 131_072;

/** What a judge is made of. */
export interface JudgeOptions {
  readonly parse: ParseOverlayOptions;
  /** The worker thread can't be used; large documents are judged on the thread of the requests from now on. */
  readonly onWorkerFailed: (error: Error) => void;
}

/** Ways in for tests and measurements. */
export interface JudgeHooks {
  /** Largest document that doesn't go to the worker, in bytes. Default 128 KiB. */
  readonly inlineBytesMax?: number;
  readonly openWorker?: OpenWorker;
}

/** A judgement, and the document it is about. */
export interface JudgedDocument {
  readonly judgement: Judgement;
  readonly bytes: Uint8Array;
}

/** Judges documents: small ones at once, large ones on a worker thread. The judgement is the same. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #inlineBytesMax: number;
  readonly #worker: OverlayWorker;
  #workerFailed = false;

  constructor(options: JudgeOptions, hooks: JudgeHooks = {}) {
    this.#options = options;
    this.#inlineBytesMax = hooks.inlineBytesMax ?? INLINE_BYTES_MAX;
    this.#worker = new OverlayWorker(hooks.openWorker);
  }

  /**
   * Judges a document, whose memory may be handed over: use the bytes that come back.
   *
   * @param seen - Prints of documents whose judgement is known.
   * @returns undefined when the document was lost with the worker, and has to be read again, or when closed.
   */
  async judge(bytes: Uint8Array, seen: readonly string[]): Promise<JudgedDocument | undefined> {
    const { parse, onWorkerFailed } = this.#options;
    if (bytes.length <= this.#inlineBytesMax || this.#workerFailed) {
      return { judgement: judgeDocument({ bytes, parse, seen }), bytes };
    }
    try {
      return await this.#worker.judge({ bytes, parse, seen });
    } catch (error) {
      this.#workerFailed = true;
      onWorkerFailed(error as Error);
      return undefined;
    }
  }

  /** Ends the worker thread. */
  close(): Promise<void> {
    return this.#worker.close();
  }
}
