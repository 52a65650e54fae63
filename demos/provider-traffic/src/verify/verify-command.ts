import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VerifyCommand } from '../cli/options.ts';
import { type Screen, showVerdict, splitTable } from '../cli/screen.ts';
import { judge } from '../proofs/judge.ts';
import { changedFiles, FILES, readRecords } from '../records/evidence.ts';
import type { Results } from '../records/types.ts';

const EXIT_PROOF_FAILED = 4;

/** What `verify` found. */
export interface Verification {
  readonly verified: boolean;
  /** The verdict that the raw records give now. */
  readonly recomputed: Results;
  /** Why the folder can't be believed; empty when it can. */
  readonly problems: readonly string[];
}

/**
 * Recomputes a run's verdict from its raw records and holds it against `results.json` and the checksums.
 *
 * @throws Error when the folder is no evidence folder.
 */
export async function verify(directory: string): Promise<Verification> {
  const recomputed = judge(await readRecords(directory));
  const claimed = JSON.parse(await readFile(join(directory, FILES.results), 'utf8')) as Results;
  const problems = [
    ...(await changedFiles(directory)).map(
      (name) => `${name} is not the file that the run wrote (checksum differs)`,
    ),
    ...recomputed.proofs
      .filter((proof) => !proof.passed)
      .map((proof) => `proof ${proof.id} does not hold: ${proof.title}`),
    ...differences(claimed, recomputed),
  ];
  return { verified: problems.length === 0, recomputed, problems };
}

function differences(claimed: Results, recomputed: Results): string[] {
  const keys = Object.keys(recomputed) as (keyof Results)[];
  return keys
    .filter((key) => JSON.stringify(claimed[key]) !== JSON.stringify(recomputed[key]))
    .map((key) => `results.json says another ${key} than the raw records`);
}

/** `demo verify DIR`: exit code 0 when the folder verifies, 4 when it doesn't. */
export async function verifyCommand({ directory, json }: VerifyCommand, screen: Screen): Promise<number> {
  const { verified, recomputed, problems } = await verify(directory);
  if (json) process.stdout.write(`${JSON.stringify({ verified, problems, recomputed }, null, 2)}\n`);
  screen.line(`Evidence of ${recomputed.startedAt}, recomputed from ${recomputed.requests} raw records\n`);
  for (const row of splitTable(recomputed.counts.client, recomputed.requests)) screen.line(row);
  screen.line();
  showVerdict(screen, recomputed);
  for (const problem of problems) screen.line(screen.paint('red', `  ✘ ${problem}`));
  screen.line(verified ? screen.paint('green', 'VERIFIED') : screen.paint('red', 'NOT VERIFIED'));
  return verified ? 0 : EXIT_PROOF_FAILED;
}
