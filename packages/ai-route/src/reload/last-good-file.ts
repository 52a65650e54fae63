import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { LastGoodFileView } from '../views.ts';
import { removeLeftovers, replaceFile } from './replace-file.ts';

/** A document to keep. */
export interface KeptDocument {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hex. */
  readonly print: string;
}

/** What a last-good file is kept with. */
export interface LastGoodFileOptions {
  /** Absolute. */
  readonly file: string;
  readonly clock: Clock;
  /** A write failed; the next document is tried again. */
  readonly onFailed: (message: string) => void;
}

/**
 * Keeps the document that was last accepted in a file of its own, for the next start. Written beside the file and renamed
 * over it, so that a crash leaves the old or the new one; in the background, so that a slow disk holds up no reload.
 */
export class LastGoodFile {
  readonly #options: LastGoodFileOptions;
  /** What the file is known to hold. */
  #held: string | undefined;
  #wanted: KeptDocument | undefined;
  #running: Promise<void> | undefined;
  #tidied = false;
  #savedAt: number | null = null;
  #error: string | null = null;

  /** @param held - Print of what the file holds already. */
  constructor(options: LastGoodFileOptions, held: string | undefined) {
    this.#options = options;
    this.#held = held;
  }

  get view(): LastGoodFileView {
    return { path: this.#options.file, savedAt: this.#savedAt, error: this.#error };
  }

  /** Asks for the document to be kept. Of several asked for in a row, the last one counts. */
  keep(document: KeptDocument): void {
    this.#wanted = document;
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined;
    });
  }

  /** Finishes what was asked for. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #write(): Promise<void> {
    if (!this.#tidied) await removeLeftovers(this.#options.file);
    this.#tidied = true;
    while (this.#wanted !== undefined) {
      const { bytes, print } = this.#wanted;
      this.#wanted = undefined;
      if (print === this.#held) continue;
      try {
        await replaceFile(this.#options.file, bytes, { mode: 0o600 });
        this.#held = print;
        this.#savedAt = this.#options.clock.now();
        this.#error = null;
      } catch (error) {
        this.#error = `${this.#options.file} can't be written: ${(error as Error).message}`;
        this.#options.onFailed(this.#error);
      }
    }
  }
}

/** Whether writing `written` replaces what `other` names, by whatever links. Neither needs to exist. */
export async function wouldReplace(written: string, other: string): Promise<boolean> {
  const replaced = await place(written);
  return replaced === (await place(other)) || replaced === (await realpath(other).catch(() => other));
}

/** Links on the way count, a link in the last place doesn't: renaming replaces it and leaves alone what it points to. */
async function place(file: string): Promise<string> {
  const directory = dirname(file);
  return join(await realpath(directory).catch(() => directory), basename(file));
}
