import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunCommand } from '../cli/options.ts';
import { type Screen, showVerdict, splitTable } from '../cli/screen.ts';
import { FILES, json } from '../records/evidence.ts';
import { evidenceFiles, FAILURE_FILE, prepareEvidence, writeChecksums } from '../records/evidence-folder.ts';
import type { Results } from '../records/types.ts';
import { renderHtml } from '../report/html.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { Child } from './child.ts';
import { startGuard } from './guard.ts';
import { type FinishedRun, runDemo } from './run-demo.ts';
import type { Topology } from './topology.ts';

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
  await prepareEvidence(directory);
  const children: Child[] = [];
  const abort = new AbortController();
  const release = onInterrupt(abort, children);
  const guard = startGuard();
  try {
    const finished = await raceAbort(
      runDemo({ command, directory, screen, children, abort, onSpawn: guard.add }),
      abort.signal,
    );
    await writeEvidence(directory, finished);
    show({ command, directory, screen, finished });
    if (command.keep) await keepRunning(screen, abort.signal);
    return finished.results.passed ? 0 : EXIT_PROOF_FAILED;
  } catch (error) {
    if (abort.signal.reason instanceof Interrupted) return abort.signal.reason.exitCode;
    await writeFile(join(directory, FAILURE_FILE), `${(error as Error).message}\n`);
    throw error;
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    guard.release();
    release();
  }
}

/** The reason of an abort that the user asked for. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** What shells expect of a process that a signal ended. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** First Ctrl-C ends the run in order, the second one at once; no child outlives the demo either way. */
function onInterrupt(abort: AbortController, children: readonly Child[]): () => void {
  const kill = (): void => {
    for (const child of children) child.kill();
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    const interrupted = new Interrupted(signal);
    if (abort.signal.aborted) {
      kill();
      process.exit(interrupted.exitCode);
    }
    abort.abort(interrupted);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  process.on('exit', kill);
  return () => {
    for (const signal of signals) process.off(signal, interrupt);
    process.off('exit', kill);
  };
}

function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason);
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted, { once: true });
    work.then(resolve, reject);
  });
}

async function writeEvidence(directory: string, { results, topology }: FinishedRun): Promise<void> {
  await Promise.all([
    writeFile(join(directory, FILES.results), json(results)),
    writeFile(join(directory, FILES.markdown), renderMarkdown(results)),
    writeFile(join(directory, FILES.html), renderHtml(results)),
    writeConfigs(directory, topology),
  ]);
  await writeChecksums(directory, evidenceFiles(topology.configs.map(({ name }) => name)));
}

/** Asks each app for the config that it runs with, so that the evidence holds values and not variables. */
async function writeConfigs(directory: string, { configs }: Topology): Promise<void> {
  await mkdir(join(directory, FILES.config), { recursive: true });
  await Promise.all(
    configs.map(async ({ name, app, file, env }) => {
      const main = join(REPOSITORY, 'apps', app, 'dist/main.js');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [main, '--config', file, '--print-config'],
        {
          env: { ...process.env, ...env },
        },
      );
      await writeFile(join(directory, FILES.config, `${name}.yaml`), stdout);
    }),
  );
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
  showVerdict(screen, results);
  screen.line();
  const shown = shortPath(directory);
  screen.line(`Evidence  ${shown}`);
  screen.line(`Check it  pnpm demo verify ${shown}`);
  screen.line(`By hand   ${curlLine(topology.gatewayUrl)}`);
  if (!command.keep) screen.line(screen.paint('dim', '          (while it runs: pnpm demo --keep)'));
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

/** Waits for Ctrl-C; the death of a child ends it as an error. */
async function keepRunning(screen: Screen, signal: AbortSignal): Promise<void> {
  screen.line('\nEverything keeps running. Press Ctrl-C to stop it.');
  // The timer keeps this process alive; the children alone would not.
  const timer = setInterval(() => undefined, 60_000);
  if (!signal.aborted) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
  clearInterval(timer);
  if (!(signal.reason instanceof Interrupted)) throw signal.reason;
}
