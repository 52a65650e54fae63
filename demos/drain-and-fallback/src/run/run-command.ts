import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  json,
  keepRunning,
  raceAbort,
  type Screen,
  showVerdict,
  supervise,
  writeChecksums,
  writeEffectiveConfigs,
} from '@switchyard/demo-kit';
import type { RunCommand } from '../cli/options.ts';
import { evidenceFiles, FILES } from '../records/evidence.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { stepTable, summaryOf } from '../report/summary.ts';
import { type FinishedRun, runDemo } from './run-demo.ts';
import { REPOSITORY } from './topology.ts';

const EXIT_PROOF_FAILED = 4;

/**
 * `demo:drain [run]`: exit code 0 when all proofs hold, 4 when one fails, 128 + the signal's number when interrupted.
 *
 * @throws UsageError when the evidence folder holds files that are none of the demo's.
 * @throws Error when the demo could not run; its message also stands in `failure.txt`.
 */
export async function runCommand(command: RunCommand, screen: Screen): Promise<number> {
  const directory =
    command.out ?? join(REPOSITORY, 'evidence', `drain-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  return supervise({ directory, names: Object.values(FILES) }, async (supervision) => {
    const { signal } = supervision.abort;
    const finished = await raceAbort(runDemo({ ...supervision, directory, screen }), signal);
    await writeEvidence(directory, finished);
    if (command.json) process.stdout.write(json(finished.results));
    show(directory, screen, finished);
    if (command.keep) await keepRunning(screen, signal);
    return finished.results.passed ? 0 : EXIT_PROOF_FAILED;
  });
}

async function writeEvidence(directory: string, { results, topology }: FinishedRun): Promise<void> {
  await Promise.all([
    writeFile(join(directory, FILES.results), json(results)),
    writeFile(join(directory, FILES.markdown), renderMarkdown(results)),
    writeEffectiveConfigs(join(directory, FILES.config), topology.configs, REPOSITORY),
  ]);
  await writeChecksums(directory, evidenceFiles(topology.configs.map(({ name }) => name)));
}

function show(directory: string, screen: Screen, { results }: FinishedRun): void {
  screen.line();
  for (const row of stepTable(results)) screen.line(row);
  screen.line();
  showVerdict(screen, { ...results, summary: summaryOf(results) });
  screen.line();
  const path = relative(process.env['INIT_CWD'] ?? process.cwd(), directory);
  const shown = path.length < directory.length ? path : directory;
  screen.line(`Evidence  ${shown}`);
  screen.line(`Check it  pnpm demo:drain verify ${shown}`);
}
