import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ManifestFile } from '@switchyard/grid-core';

const MANIFEST = /\.(ya?ml|json)$/;

/**
 * Reads every manifest file of a folder, in name order. Names that start with a dot are passed over: a projected
 * ConfigMap keeps its machinery there.
 *
 * @throws Error of the file system when the folder or a file cannot be read.
 */
export async function readResources(directory: string): Promise<ManifestFile[]> {
  const names = (await readdir(directory)).filter((name) => MANIFEST.test(name) && !name.startsWith('.'));
  return Promise.all(
    names.toSorted().map(async (name) => {
      const path = join(directory, name);
      return { path, text: await readFile(path, 'utf8') };
    }),
  );
}
