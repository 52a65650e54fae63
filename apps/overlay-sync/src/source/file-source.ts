import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DirectoryWatch, type ReadOutcome, readBounded } from '@switchyard/ai-route';
import { repeat } from '../time/repeat.ts';
import type { Time } from '../time/time.ts';
import type { OverlaySource, SourceListener } from './source.ts';

/** What following a file takes. */
export interface FileSourceOptions {
  /** Absolute: a file, or a folder that holds `routing-overlay.json`. It need not exist yet. */
  readonly path: string;
  /** Most bytes of a document. */
  readonly maxBytes: number;
  /** Whether a document is valid. One that isn't may be half written, and is read again after a short while. */
  readonly acceptable: (bytes: Uint8Array) => boolean;
  readonly listen: SourceListener;
  readonly time: Time;
  /** How long the folder must be quiet before the file is read, in milliseconds. */
  readonly debounceMs: number;
  /** How often the file is read although nothing told of a change, in milliseconds. */
  readonly pollMs: number;
  /** The system refuses to watch; reading from time to time goes on. */
  readonly onWatchDegraded: (error: NodeJS.ErrnoException) => void;
}

/** Name of the overlay in a folder, as the controller publishes it. */
export const OVERLAY_FILE = 'routing-overlay.json';

/** A writer that is half-way through is given this long, in steps, before its document is called bad. */
const SECOND_LOOKS_MS: readonly number[] = [50, 100, 200];

/** Follows a file. Events are hints that it is time to read; reading is what tells whether something changed. */
export class FileSource implements OverlaySource {
  readonly #options: FileSourceOptions;
  readonly #watch: DirectoryWatch;
  /** What the last reading came to. */
  #print: string | undefined;
  #dirty = false;
  #running: Promise<void> | undefined;
  #closed = false;
  #cancelHint: (() => void) | undefined;
  #wake: () => void = () => undefined;
  #stopPolling: () => void = () => undefined;

  constructor(options: FileSourceOptions) {
    this.#options = options;
    // Given a file, it watches the folder the file is in.
    this.#watch = new DirectoryWatch(options.path, {
      hint: () => this.#hint(),
      degraded: options.onWatchDegraded,
    });
  }

  start(): void {
    this.#stopPolling = repeat(this.#options.time, this.#options.pollMs, () => this.#look());
    void this.#look();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopPolling();
    this.#cancelHint?.();
    this.#wake();
    await this.#watch.close();
    await this.#running;
  }

  #hint(): void {
    if (this.#closed) return;
    this.#cancelHint ??= this.#options.time.after(this.#options.debounceMs, () => {
      this.#cancelHint = undefined;
      void this.#look();
    });
  }

  #look(): Promise<void> {
    this.#dirty = true;
    this.#running ??= this.#lookWhileDirty().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #lookWhileDirty(): Promise<void> {
    while (this.#dirty && !this.#closed) {
      this.#dirty = false;
      // Armed first, read afterwards: what is written in between is a hint, not a gap.
      await this.#watch.check();
      const read = await this.#readSettled();
      if (this.#closed) return;
      const print = printOf(read);
      if (print !== this.#print) this.#tell(read);
      this.#print = print;
    }
  }

  async #readSettled(): Promise<ReadOutcome> {
    let read = await this.#readOnce();
    for (const waitMs of SECOND_LOOKS_MS) {
      if (this.#closed || printOf(read) === this.#print) break;
      if (read.ok && this.#options.acceptable(read.bytes)) break;
      await this.#sleep(waitMs);
      read = await this.#readOnce();
    }
    return read;
  }

  async #readOnce(): Promise<ReadOutcome> {
    const { path, maxBytes } = this.#options;
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return readBounded(isFolder ? join(path, OVERLAY_FILE) : path, maxBytes);
  }

  #tell(read: ReadOutcome): void {
    const { listen } = this.#options;
    if (read.ok) listen({ type: 'document', bytes: read.bytes });
    else if (read.code === 'missing') listen({ type: 'absent', reason: 'deleted', message: read.message });
    else listen({ type: 'unavailable', reason: 'unreadable', message: read.message });
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.time.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

function printOf(read: ReadOutcome): string {
  return read.ok ? createHash('sha256').update(read.bytes).digest('hex') : `${read.code} ${read.message}`;
}
