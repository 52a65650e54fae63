import type { ManifestFile } from '@switchyard/grid-core';

/** What a settled reader is made of. */
export interface SettledReaderOptions {
  readonly read: () => Promise<readonly ManifestFile[]>;
  /** Waits between two reads that are compared. */
  readonly pause: () => Promise<void>;
}

/** Reads that are made before a folder that never rests is given up until the next pass. */
const READS_MAX = 20;

/**
 * A reader that never returns a folder in the middle of a change. A file that is being written may well be whole YAML
 * already, only with fewer providers in it: so content that is new counts once two reads with a pause between them found
 * it the same. Content that was returned before counts at once.
 *
 * The returned function throws what `read` threw twice in a row, and an Error when the folder never rests.
 */
export function createSettledReader({
  read,
  pause,
}: SettledReaderOptions): () => Promise<readonly ManifestFile[]> {
  let settled: string | null = null;
  return async () => {
    let before: string | null = null;
    for (let reads = 0; reads < READS_MAX; reads++) {
      if (reads > 0) await pause();
      let files: readonly ManifestFile[];
      try {
        files = await read();
      } catch (error) {
        // A file that was replaced between the listing and its reading is there again at the next look.
        if (reads > 0 && before === null) throw error;
        before = null;
        continue;
      }
      const content = JSON.stringify(files);
      if (content === settled || content === before) {
        settled = content;
        return files;
      }
      before = content;
    }
    throw new Error(`the files changed at each of ${READS_MAX} looks; they are read again at the next pass`);
  };
}
