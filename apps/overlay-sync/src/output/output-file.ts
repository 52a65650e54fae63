import { dirname } from 'node:path';
import { DirectoryWatch, readBounded, replaceFile } from '@switchyard/ai-route';
import type { SyncObserver } from '../sync/events.ts';
import type { BackOff } from '../time/back-off.ts';
import { repeat } from '../time/repeat.ts';
import type { Time } from '../time/time.ts';

/** What an output file is kept with. */
export interface OutputFileOptions {
  /** Absolute. */
  readonly file: string;
  readonly time: Time;
  /** Between attempts to write. */
  readonly backOff: BackOff;
  /** How often the file is looked at although nothing told of a change, in milliseconds. */
  readonly pollMs: number;
  /** How long the folder must be quiet before the file is looked at, in milliseconds. */
  readonly debounceMs: number;
  readonly observe: SyncObserver;
  /** The system refuses to watch the folder; looking at it from time to time goes on. */
  readonly onWatchDegraded: (error: NodeJS.ErrnoException) => void;
}

/** A document that the file shall hold. */
export interface WantedDocument {
  readonly bytes: Uint8Array;
  readonly revision: string;
}

/**
 * Keeps one document in one file. Level-triggered: whatever gives cause to look, the file's bytes are compared with the
 * wanted ones and replaced when they differ, so a removed or edited file comes back and an equal one is never written.
 */
export class OutputFile {
  readonly #options: OutputFileOptions;
  readonly #watch: DirectoryWatch;
  #wanted: WantedDocument | undefined;
  /** What the file is known to have held. */
  #settled: WantedDocument | undefined;
  #dirty = false;
  #running: Promise<void> | undefined;
  #closed = false;
  #cancelHint: (() => void) | undefined;
  /** Set while a failed write waits for its next attempt: the attempt itself stirs the folder, and must not hurry it. */
  #cancelRetry: (() => void) | undefined;
  #failed: WantedDocument | undefined;
  #stopPolling: () => void = () => undefined;

  constructor(options: OutputFileOptions) {
    this.#options = options;
    this.#watch = new DirectoryWatch(dirname(options.file), {
      hint: () => this.#hint(),
      degraded: options.onWatchDegraded,
    });
  }

  /** The document last asked for. */
  get wanted(): WantedDocument | undefined {
    return this.#wanted;
  }

  /** Begins to watch the file for changes by others. */
  start(): void {
    this.#stopPolling = repeat(this.#options.time, this.#options.pollMs, () => this.look());
    void this.#watch.check();
  }

  /** Makes `document` what the file shall hold. */
  want(document: WantedDocument): void {
    this.#wanted = document;
    void this.look();
  }

  /** Compares the file with what it shall hold, and mends it. Never rejects. */
  look(): Promise<void> {
    this.#dirty = true;
    this.#running ??= this.#lookWhileDirty().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Finishes the write that runs, if one does, and stops. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopPolling();
    this.#cancelHint?.();
    await this.#watch.close();
    await this.#running;
    // The write that was finished may have failed, and armed the next attempt.
    this.#cancelRetry?.();
  }

  #hint(): void {
    // The first hint of a burst sets the time; later ones are covered by the same look, or set the next.
    if (this.#closed) return;
    this.#cancelHint ??= this.#options.time.after(this.#options.debounceMs, () => {
      this.#cancelHint = undefined;
      void this.look();
    });
  }

  async #lookWhileDirty(): Promise<void> {
    while (this.#dirty && !this.#closed) {
      this.#dirty = false;
      await this.#watch.check();
      const wanted = this.#wanted;
      if (wanted === undefined) continue;
      if (await this.#holds(wanted)) this.#settle(wanted, 'intact');
      else if (this.#cancelRetry === undefined || this.#failed !== wanted) await this.#write(wanted);
    }
  }

  async #holds(wanted: WantedDocument): Promise<boolean> {
    const read = await readBounded(this.#options.file, wanted.bytes.byteLength);
    return read.ok && Buffer.compare(read.bytes, wanted.bytes) === 0;
  }

  async #write(wanted: WantedDocument): Promise<void> {
    const { file, observe, backOff, time } = this.#options;
    try {
      await replaceFile(file, wanted.bytes);
      this.#settle(wanted, 'written');
    } catch (error) {
      observe({ type: 'write_failed', revision: wanted.revision, message: `${file}: ${messageOf(error)}` });
      this.#cancelRetry?.();
      this.#failed = wanted;
      this.#cancelRetry = time.after(backOff.next(), () => {
        this.#cancelRetry = undefined;
        void this.look();
      });
    }
  }

  #settle(wanted: WantedDocument, how: 'intact' | 'written'): void {
    const { observe, backOff } = this.#options;
    const { revision } = wanted;
    const restored = this.#settled === wanted;
    this.#settled = wanted;
    backOff.reset();
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    observe(how === 'intact' ? { type: 'intact', revision } : { type: 'written', revision, restored });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
