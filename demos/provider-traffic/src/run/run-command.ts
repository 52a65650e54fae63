import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  json,
  keepRunning,
  raceAbort,
  type Screen,
  samplingNotes,
  showVerdict,
  splitTable,
  supervise,
  writeChecksums,
  writeEffectiveConfigs,
} from '@switchyard/demo-kit';
import type { RunCommand } from '../cli/options.ts';
import { evidenceFiles, FILES } from '../records/evidence.ts';
import type { Results } from '../records/types.ts';
import { renderHtml } from '../report/html.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { summaryOf } from '../report/summary.ts';
import { startLivePage } from '../ui/live-page.ts';
import { observedBy, screenObserver } from './observer.ts';
import { type FinishedRun, runDemo } from './run-demo.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const EXIT_PROOF_FAILED = 4;

/**
 * `demo [run]`: exit code 0 when all proofs hold, 4 when one fails, 128 + the signal's number when interrupted before.
 *
 * @throws UsageError when the evidence folder holds files that are none of the demo's.
 * @throws Error when the demo could not run; its message also stands in `failure.txt`.
 */
export async function runCommand(command: RunCommand, screen: Screen): Promise<number> {
  const directory =
    command.out ?? join(REPOSITORY, 'evidence', new Date().toISOString().replace(/[:.]/g, '-'));
  for (const note of samplingNotes(process.env)) process.stderr.write(`Note: ${note}\n`);
  return supervise({ directory, names: Object.values(FILES) }, async (supervision) => {
    const { signal } = supervision.abort;
    const page = command.ui === undefined ? null : await startLivePage(command, command.ui, directory);
    try {
      if (page !== null) announce(page.url, command, screen);
      const observer = observedBy([screenObserver(screen), ...(page === null ? [] : [page.observer])]);
      const tracesUrl = page?.tracesUrl ?? null;
      const run = runDemo({ ...supervision, command, directory, observer, tracesUrl });
      const finished = await raceAbort(run, signal);
      await writeEvidence(directory, finished);
      show({ command, directory, screen, finished });
      page?.handOver(finished, {
        verify: `pnpm demo verify ${shortPath(directory)}`,
        tryByHand: curlLine(finished.topology.gatewayUrl),
        signal,
      });
      if (page !== null) announce(page.url, command, screen);
      if (command.keep || page !== null) await keepRunning(screen, signal);
      return finished.results.passed ? 0 : EXIT_PROOF_FAILED;
    } finally {
      await page?.close();
    }
  });
}

/** Says where the page is; on standard error when standard output is for JSON alone. */
function announce(url: string, { json: quiet }: RunCommand, screen: Screen): void {
  if (quiet) process.stderr.write(`Watch it  ${url}\n`);
  else screen.line(`Watch it  ${screen.paint('bold', url)}`);
}

async function writeEvidence(directory: string, { results, records, topology }: FinishedRun): Promise<void> {
  await Promise.all([
    writeFile(join(directory, FILES.results), json(results)),
    writeFile(join(directory, FILES.markdown), renderMarkdown(results)),
    writeFile(join(directory, FILES.html), renderHtml({ results, records })),
    writeEffectiveConfigs(join(directory, FILES.config), topology.configs, REPOSITORY),
  ]);
  await writeChecksums(directory, evidenceFiles(topology.configs.map(({ name }) => name)));
}

interface Shown {
  readonly command: RunCommand;
  readonly directory: string;
  readonly screen: Screen;
  readonly finished: FinishedRun;
}

function show({ command, directory, screen, finished: { results, topology } }: Shown): void {
  if (command.json) process.stdout.write(json(results));
  screen.line(`${title(results)}\n`);
  for (const row of splitTable(results.counts.client, results.requests)) screen.line(row);
  screen.line(
    screen.paint('dim', `  counted by client, gateway spans and backend logs: ${threeCounts(results)}`),
  );
  screen.line();
  showVerdict(screen, { ...results, summary: summaryOf(results) });
  screen.line();
  const shown = shortPath(directory);
  screen.line(`Evidence  ${shown}`);
  screen.line(`Check it  pnpm demo verify ${shown}`);
  screen.line(`By hand   ${curlLine(topology.gatewayUrl)}`);
  if (!command.keep && command.ui === undefined)
    screen.line(screen.paint('dim', '          (while it runs: pnpm demo --keep)'));
}

/** Relative to where the user stands, when that is shorter. */
function shortPath(directory: string): string {
  const path = relative(process.env['INIT_CWD'] ?? process.cwd(), directory);
  return path.length < directory.length ? path : directory;
}

function title({ requests, policy, durationMs }: Results): string {
  return `${requests} requests through one consumer gateway, ${policy}, in ${(durationMs / 1000).toFixed(1)} s`;
}

function threeCounts({ counts }: Results): string {
  return [counts.client, counts.gateway, counts.backend]
    .map((count) => Object.values(count).join('/'))
    .join(' = ');
}

function curlLine(gatewayUrl: string): string {
  const body = '{"model":"demo-model","messages":[{"role":"user","content":"Which site answers?"}]}';
  return `curl -i ${gatewayUrl}/v1/chat/completions -H 'content-type: application/json' -d '${body}'`;
}
