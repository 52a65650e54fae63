import { readFile, realpath } from 'node:fs/promises';

/**
 * Whether something is mounted exactly at `file`: a `subPath` or a bind mount of a single file. Such a mount holds on to
 * the file it was made with; what replaces that file outside is never seen inside. Only Linux can tell.
 */
export async function isMountPoint(file: string): Promise<boolean> {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const mounts = mountPoints(table);
  return mounts.has(file) || mounts.has(await realpath(file).catch(() => file));
}

/** The mount points in the text of a `mountinfo` file. */
export function mountPoints(table: string): Set<string> {
  return new Set(
    table
      .split('\n')
      .flatMap((line) => line.split(' ')[4] ?? [])
      .map(unescaped),
  );
}

/** Blanks and backslashes stand there as octal numbers. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
