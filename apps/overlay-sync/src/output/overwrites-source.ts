import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Whether writing `output` would replace what one of `sources` names, by whatever links. None of them needs to exist.
 * Such a copy would undo every new document: it differs from the one the output shall hold.
 */
export async function overwritesSource(output: string, sources: readonly string[]): Promise<boolean> {
  const written = await place(output);
  for (const source of sources) {
    if ((await place(source)) === written || (await realpath(source).catch(() => source)) === written)
      return true;
  }
  return false;
}

/** Links on the way count, one in the last place doesn't: a rename replaces it and leaves alone what it points to. */
async function place(file: string): Promise<string> {
  const folder = dirname(file);
  return join(await realpath(folder).catch(() => folder), basename(file));
}
