import { mkdir, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Half an envelope: what a writer without atomic swaps would leave behind when it is cut off. */
const BROKEN = '{"schema_version": "1.0.0", "overlay"';

/**
 * Publishes half a file in the place of the overlay, in the way real ones come: by one swap of `..data`.
 *
 * @param directory - Folder of the overlay.
 */
export async function breakOverlay(directory: string): Promise<void> {
  const link = join(directory, '..data');
  const good = await readlink(link);
  const broken = '..broken';
  await mkdir(join(directory, broken), { recursive: true });
  await writeFile(join(directory, broken, 'routing-overlay.json'), BROKEN);
  await writeFile(join(directory, broken, 'replaces.txt'), `${good}\n`);
  const temporary = `${link}_demo`;
  await symlink(broken, temporary);
  await rename(temporary, link);
}
