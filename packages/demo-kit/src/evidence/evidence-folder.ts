import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../screen/usage-error.ts';
import { lines, sha256 } from './text.ts';

/** Working state and logs of the processes: beside the evidence, but none. */
export const RUN_FOLDER = 'run';
/** Why a run could not be judged. */
export const FAILURE_FILE = 'failure.txt';

/** The file of checksums, in the format of `sha256sum -c`. */
const CHECKSUMS_FILE = 'SHA256SUMS';

/**
 * Makes the folder of a new run, empty but for its working folder. What an earlier run left there goes away: its spans would be counted again, and
 * its verdict would stand if this run never comes to one.
 *
 * @param names - What a run writes at the top of the folder.
 * @throws UsageError when the folder holds anything that no run of the demo wrote; nothing is touched then.
 */
export async function prepareEvidence(directory: string, names: readonly string[]): Promise<void> {
  const ours = [...names, CHECKSUMS_FILE, RUN_FOLDER, FAILURE_FILE];
  await mkdir(directory, { recursive: true });
  const found = await readdir(directory);
  // `config` alone may be anybody's; a run always has its working folder too.
  const foreign = found.includes(RUN_FOLDER) ? found.filter((name) => !ours.includes(name)) : found;
  if (foreign.length > 0) {
    throw new UsageError(
      `--out ${directory} is no evidence folder of the demo (it holds ${foreign.slice(0, 3).join(', ')}): name a new or empty folder`,
    );
  }
  // The working folder last: should this be cut short, the folder is still known as the demo's.
  const order = found.toSorted((a, b) => Number(a === RUN_FOLDER) - Number(b === RUN_FOLDER));
  for (const name of order) await rm(join(directory, name), { recursive: true, force: true });
  // At once: a run that fails before it starts anything must leave a folder that is known as the demo's.
  await mkdir(join(directory, RUN_FOLDER));
}

/** Writes `SHA256SUMS` over the files, in the format of `sha256sum -c`. */
export async function writeChecksums(directory: string, files: readonly string[]): Promise<void> {
  const sums = await Promise.all(files.map((name) => checksumLine(directory, name)));
  await writeFile(join(directory, CHECKSUMS_FILE), sums.map((line) => `${line}\n`).join(''));
}

/** Names of the files that are gone, that differ from `SHA256SUMS`, or that it does not vouch for. */
export async function changedFiles(directory: string, files: readonly string[]): Promise<string[]> {
  const sums = new Set(lines(await readFile(join(directory, CHECKSUMS_FILE), 'utf8').catch(() => '')));
  const vouched = await Promise.all(
    files.map(async (name) => sums.has(await checksumLine(directory, name).catch(() => 'gone'))),
  );
  return files.filter((_, index) => vouched[index] !== true);
}

async function checksumLine(directory: string, name: string): Promise<string> {
  return `${sha256(await readFile(join(directory, name)))}  ${name}`;
}
