import { appEntry, outputTail } from './app-entry.ts';
import { spawnNode } from './spawn-node.ts';

/** Options of {@link runToExit}. */
export interface RunToExitOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Kills the process and throws after this long. Default 30000. */
  readonly timeoutMs?: number;
}

/** What a finished process left. */
export interface FinishedProcess {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `node apps/<app>/dist/main.js ...args` until it ends by itself.
 *
 * @param app - see {@link appEntry}.
 * @throws Error when it has not been built, or still runs after `timeoutMs`.
 */
export async function runToExit(
  app: string,
  args: readonly string[],
  options: RunToExitOptions = {},
): Promise<FinishedProcess> {
  return runNodeToExit([appEntry(app), ...args], options);
}

/** Runs `node ...args` until it ends by itself. */
export async function runNodeToExit(
  args: readonly string[],
  options: RunToExitOptions = {},
): Promise<FinishedProcess> {
  const timeoutMs = options.timeoutMs ?? 30_000;
  const child = spawnNode(args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const { code } = await child.exited;
  clearTimeout(timer);
  if (late) {
    throw new Error(`node ${args.join(' ')} still ran after ${timeoutMs} ms\n${outputTail(child.stderr)}`);
  }
  return { code, stdout: child.stdout.join('\n'), stderr: child.stderr.join('\n') };
}
