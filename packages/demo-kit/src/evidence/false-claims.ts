import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Proof } from '../records.ts';
import { changedFiles } from './evidence-folder.ts';

/** What a folder claims, and what its raw records say. */
export interface Claims {
  readonly directory: string;
  /** Every file that the checksums must vouch for. */
  readonly files: readonly string[];
  /** The verdict made again from the raw records. */
  readonly recomputed: { readonly proofs: readonly Proof[] };
  /** File of the claimed verdict. */
  readonly results: string;
  /** Name to content of the reports, which are made of the verdict alone and so can be made again too. */
  readonly reports: Readonly<Record<string, string>>;
}

/**
 * Why an evidence folder can't be believed; empty when it can.
 *
 * @throws Error naming the file of the verdict when it is gone or isn't JSON.
 */
export async function falseClaims(claims: Claims): Promise<string[]> {
  const { directory, files, recomputed, reports } = claims;
  return [
    ...(await changedFiles(directory, files)).map(
      (name) => `${name} is not the file that the run wrote (gone, or its checksum differs or is missing)`,
    ),
    ...recomputed.proofs
      .filter((proof) => !proof.passed)
      .map((proof) => `proof ${proof.id} does not hold: ${proof.title}`),
    ...differences(await readClaim(join(directory, claims.results)), recomputed, claims.results),
    ...(await falseReports(directory, reports)),
  ];
}

async function readClaim(file: string): Promise<object> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as object;
  } catch (cause) {
    throw new Error(`${file}: ${(cause as Error).message}`, { cause });
  }
}

function differences(claimed: object, recomputed: object, name: string): string[] {
  const said = new Map(Object.entries(claimed));
  const found = new Map(Object.entries(recomputed));
  return [...new Set([...found.keys(), ...said.keys()])]
    .filter((key) => JSON.stringify(said.get(key)) !== JSON.stringify(found.get(key)))
    .map((key) => `${name} says another ${key} than the raw records`);
}

async function falseReports(directory: string, reports: Claims['reports']): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(reports).map(async ([name, text]) => {
      const written = await readFile(join(directory, name), 'utf8').catch(() => '');
      return written === text ? [] : [`${name} says something else than the raw records`];
    }),
  );
  return found.flat();
}
