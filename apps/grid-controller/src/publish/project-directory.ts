import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** File name to content. */
export type ProjectedFiles = Readonly<Record<string, string>>;

const DATA = '..data';

/**
 * Replaces a folder's files the way Kubernetes projects a ConfigMap, so that a reader sees either all old files or all
 * new ones: the content goes into a new timestamped folder, then the symbolic link `..data` is swapped by one rename.
 * The visible names are links through `..data` and never change.
 *
 * @throws Error of the file system. The old files then still stand, unless only a visible name could not be made a link
 *   (a folder of that name is in the way): then the others have the new content.
 */
export async function projectDirectory(directory: string, files: ProjectedFiles, now: Date): Promise<void> {
  await mkdir(directory, { recursive: true });
  const before = await readlink(join(directory, DATA)).catch(() => null);
  const version = `..${stamp(now)}.${randomUUID().slice(0, 8)}`;
  try {
    await writeVersion(join(directory, version), files);
    await swapLink(directory, DATA, version);
  } catch (error) {
    await rm(join(directory, version), { recursive: true, force: true });
    throw error;
  }
  try {
    for (const name of Object.keys(files)) await linkName(directory, name);
    await syncDirectory(directory);
  } finally {
    // Also when a link failed: the caller tries again, and each try would leave a version behind.
    await removeVersions(directory, { keep: version, before });
  }
}

async function writeVersion(path: string, files: ProjectedFiles): Promise<void> {
  await mkdir(path);
  for (const [name, content] of Object.entries(files)) {
    const file = await open(join(path, name), 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await syncDirectory(path);
}

/** Points a link at a new target with one atomic rename. */
async function swapLink(directory: string, name: string, target: string): Promise<void> {
  const temporary = join(directory, `${name}_tmp`);
  await rm(temporary, { force: true });
  await symlink(target, temporary);
  try {
    await rename(temporary, join(directory, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a visible name a link through `..data`; a plain file of that name, from some other writer, is replaced. */
async function linkName(directory: string, name: string): Promise<void> {
  const target = `${DATA}/${name}`;
  const now = await readlink(join(directory, name)).catch(() => null);
  if (now !== target) await swapLink(directory, name, target);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Old versions go away; a crash may have left some that nothing points to. */
async function removeVersions(
  directory: string,
  { keep, before }: { keep: string; before: string | null },
): Promise<void> {
  const versions = (await readdir(directory)).filter((name) => /^\.\.\d{4}_/.test(name));
  const gone = new Set([...versions, ...(before === null ? [] : [before])]);
  gone.delete(keep);
  for (const name of gone) {
    if (/^\.\.\d{4}_[\w.]+$/.test(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

function stamp(now: Date): string {
  return now
    .toISOString()
    .slice(0, 23)
    .replace(/[-T:.]/g, '_');
}
