import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changedFiles, type Screen, showVerdict, splitTable } from '@switchyard/demo-kit';
import type { VerifyCommand } from '../cli/options.ts';
import { judge } from '../proofs/judge.ts';
import { evidenceFiles, FILES, readRecords } from '../records/evidence.ts';
import type { Records, Results } from '../records/types.ts';
import { renderHtml } from '../report/html.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { summaryOf } from '../report/summary.ts';

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
  const recomputed = judgeRecords(directory, records);
  const problems = [
    ...(await changedFiles(directory, evidenceFiles(processNames(records)))).map(
      (name) => `${name} is not the file that the run wrote (gone, or its checksum differs or is missing)`,
    ),
    ...recomputed.proofs
      .filter((proof) => !proof.passed)
      .map((proof) => `proof ${proof.id} does not hold: ${proof.title}`),
    ...differences(await readClaim(directory), recomputed),
    ...(await falseReports(directory, recomputed)),
  ];
  return { verified: problems.length === 0, recomputed, problems };
}

function judgeRecords(directory: string, records: Records): Results {
  try {
    return judge(records);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`${directory}: the records lack what every run writes: ${message}`, { cause });
  }
}

/** The processes whose configs belong to the evidence. */
function processNames({ observations }: Records): string[] {
  const pairs = Object.entries(observations.backends).flat();
  return ['grid-controller', 'consumer-gateway', ...pairs];
}

async function readClaim(directory: string): Promise<Partial<Results>> {
  const file = join(directory, FILES.results);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Results>;
  } catch (cause) {
    throw new Error(`${file}: ${(cause as Error).message}`, { cause });
  }
}

/** Reports for people are made of the results alone, so what they say can be made again too. */
async function falseReports(directory: string, recomputed: Results): Promise<string[]> {
  const wanted = { [FILES.markdown]: renderMarkdown(recomputed), [FILES.html]: renderHtml(recomputed) };
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8').catch(() => '');
  const found = await Promise.all(
    Object.entries(wanted).map(async ([name, text]) => ((await read(name)) === text ? [] : [name])),
  );
  return found.flat().map((name) => `${name} says something else than the raw records`);
}

function differences(claimed: Partial<Results>, recomputed: Results): string[] {
  const keys = [...new Set([...Object.keys(recomputed), ...Object.keys(claimed)])] as (keyof Results)[];
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
  showVerdict(screen, { ...recomputed, summary: summaryOf(recomputed) });
  for (const problem of problems) screen.line(screen.paint('red', `  ✘ ${problem}`));
  screen.line(verified ? screen.paint('green', 'VERIFIED') : screen.paint('red', 'NOT VERIFIED'));
  return verified ? 0 : EXIT_PROOF_FAILED;
}
