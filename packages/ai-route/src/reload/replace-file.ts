import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** How a file is replaced. */
export interface ReplaceFileOptions {
  /** Permissions of the new file; the umask still applies. Default 0o644: readers may be other users. */
  readonly mode?: number;
}

/**
 * Puts `bytes` in the place of a file so that every reader, also after a power cut, sees all of the old content or all
 * of the new: temporary file in the same directory, fsync, rename, fsync of the directory. A missing directory is made.
 * A link is replaced, not followed. Writers of the same file don't disturb each other: the last one to rename wins.
 *
 * @throws Error of the file system; the old file then still stands and the temporary one is gone.
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array,
  options: ReplaceFileOptions = {},
): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `${temporaryPrefix(file)}${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', options.mode ?? 0o644);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    // The first error is the one to tell; when the directory itself is gone there is nothing left to remove.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncDirectory(directory);
}

/**
 * Removes the temporary files that a killed process left when it was about to {@link replaceFile}. For the one writer of
 * a file, when it starts: the write of another would fail. A directory that can't be listed is left alone.
 */
export async function removeLeftovers(file: string): Promise<void> {
  const directory = dirname(file);
  const prefix = temporaryPrefix(file);
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    if (name.startsWith(prefix) && UUID.test(name.slice(prefix.length)))
      await rm(join(directory, name), { force: true }).catch(() => undefined);
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function temporaryPrefix(file: string): string {
  return `.${basename(file)}.tmp-`;
}

/** Makes the rename durable. Not every system can; then a power cut may bring back the content before. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
