import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of one test; gone after `remove()` or at the end of an `await using` block. */
export interface TempDir {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  /** Removes the directory and all in it; a second call does nothing. */
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes a fresh, empty directory under the system's temp directory. */
export async function tempDir(): Promise<TempDir> {
  // realpath: macOS answers a link (/var -> /private/var), and file watchers report resolved paths.
  const path = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-')));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
