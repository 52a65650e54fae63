import { stat } from 'node:fs/promises';
import type { ParseOverlayOptions } from '@switchyard/overlay-contract';
import type { Clock } from '../clock.ts';
import { readBounded } from '../reload/read-bounded.ts';
import type { RoutingOverlay } from '../snapshot/routing-overlay.ts';
import { judgeDocument } from './judge-document.ts';
import { OverlayWorker } from './overlay-worker.ts';
import type { FileToJudge, JudgedFile } from './protocol.ts';
import type { OpenWorker } from './worker-process.ts';

/** Up to this size a file is judged on the thread of the requests: a few milliseconds at most. */
const INLINE_BYTES_MAX = 131_072;

/** A worker that can't be started isn't tried again for so long: each try costs a process, or the refusal of one. */
const WORKER_RETRY_MS = 60_000;

/** What a judge is made of. */
export interface JudgeOptions {
  readonly parse: ParseOverlayOptions & { readonly maxBytes: number };
  /** Whether the documents themselves are wanted. */
  readonly keepBytes: boolean;
  readonly clock: Clock;
  /** The worker process can't be started; for a minute large files are judged on the thread of the requests. */
  readonly onWorkerFailed: (error: Error) => void;
}

/** Ways in for tests and measurements. */
export interface JudgeHooks {
  /** Largest file that doesn't go to the worker, in bytes. Default 128 KiB. */
  readonly inlineBytesMax?: number;
  readonly openWorker?: OpenWorker;
}

/** Reads and judges files: small ones at once, large ones in a worker process. The judgement is the same. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #inlineBytesMax: number;
  readonly #worker: OverlayWorker;
  #workerRefusedUntilMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: JudgeOptions, hooks: JudgeHooks = {}) {
    this.#options = options;
    this.#inlineBytesMax = hooks.inlineBytesMax ?? INLINE_BYTES_MAX;
    this.#worker = new OverlayWorker(hooks.openWorker);
  }

  /**
   * Reads and judges a file.
   *
   * @param seen - Prints of documents whose judgement is known.
   * @returns undefined when closed before or meanwhile.
   */
  async judge(file: string, seen: readonly string[]): Promise<JudgedFile<RoutingOverlay> | undefined> {
    const { parse, keepBytes, clock, onWorkerFailed } = this.#options;
    const input = { file, bytesMax: parse.maxBytes, parse, seen, keepBytes };
    const size = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    // Whoever closes it may not have waited for this: a process started now would never be ended.
    if (this.#closed) return undefined;
    if (size > this.#inlineBytesMax && clock.monotonicMs() >= this.#workerRefusedUntilMs) {
      try {
        return await this.#worker.judge(input);
      } catch (error) {
        this.#workerRefusedUntilMs = clock.monotonicMs() + WORKER_RETRY_MS;
        onWorkerFailed(error as Error);
      }
    }
    return judgeHere(input);
  }

  /** Ends the worker process. What is asked from now on is not judged. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#worker.close();
  }
}

async function judgeHere({ file, bytesMax, parse, seen }: FileToJudge): Promise<JudgedFile<RoutingOverlay>> {
  const read = await readBounded(file, bytesMax);
  if (!read.ok) return read;
  const { bytes } = read;
  return { ok: true, judgement: judgeDocument({ bytes, parse, seen }), bytes };
}
