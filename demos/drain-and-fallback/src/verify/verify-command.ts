import { falseClaims, type Screen, showVerdict } from '@switchyard/demo-kit';
import type { VerifyCommand } from '../cli/options.ts';
import { judge } from '../proofs/judge.ts';
import { evidenceFiles, FILES, readRecords } from '../records/evidence.ts';
import type { Records, Results } from '../records/types.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { stepTable, summaryOf } from '../report/summary.ts';

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
  const records = await readRecords(directory);
  const recomputed = judge(records);
  const problems = await falseClaims({
    directory,
    files: evidenceFiles(processNames(records)),
    recomputed,
    results: FILES.results,
    reports: { [FILES.markdown]: renderMarkdown(recomputed) },
  });
  return { verified: problems.length === 0, recomputed, problems };
}

/** The processes whose configs belong to the evidence. */
function processNames({ observations }: Records): string[] {
  return ['grid-controller', 'consumer-gateway', ...Object.entries(observations.backends).flat()];
}

/** `demo:drain verify DIR`: exit code 0 when the folder verifies, 4 when it doesn't. */
export async function verifyCommand({ directory, json }: VerifyCommand, screen: Screen): Promise<number> {
  const { verified, recomputed, problems } = await verify(directory);
  if (json) process.stdout.write(`${JSON.stringify({ verified, problems, recomputed }, null, 2)}\n`);
  screen.line(`Evidence of ${recomputed.startedAt}, recomputed from ${recomputed.requests} raw records\n`);
  for (const row of stepTable(recomputed)) screen.line(row);
  screen.line();
  showVerdict(screen, { ...recomputed, summary: summaryOf(recomputed) });
  for (const problem of problems) screen.line(screen.paint('red', `  ✘ ${problem}`));
  screen.line(verified ? screen.paint('green', 'VERIFIED') : screen.paint('red', 'NOT VERIFIED'));
  return verified ? 0 : EXIT_PROOF_FAILED;
}
