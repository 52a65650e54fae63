import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Readers are other users of the same pod or machine. The umask still applies. */
const MODE = 0o644;

/**
 * Puts `bytes` in the place of a file so that every reader, also after a power cut, sees all of the old content or all
 * of the new: temporary file in the same folder, fsync, rename, fsync of the folder. A missing folder is made.
 *
 * @throws Error of the file system; the old file then still stands and the temporary one is gone.
 */
export async function writeFileAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `${temporaryPrefix(file)}${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', MODE);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    // The first error is the one to tell; when the folder itself is gone there is nothing left to remove.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Removes temporary files that a killed process left beside `file`. A folder that can't be listed is left alone. */
export async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (name.startsWith(temporaryPrefix(file)))
      await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** Two processes that write different files into one folder leave each other's temporary files alone. */
function temporaryPrefix(file: string): string {
  return `.overlay-sync-tmp-${basename(file)}-`;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
