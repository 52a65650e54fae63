import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { appEntry, repositoryRoot } from '@switchyard/test-kit';

/** The documents that the README shows. */
export const fixtures: string = join(repositoryRoot(), 'apps/cli/test/fixtures');

/** What a run left. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run differs from `switchyard ...args` among the fixtures with nothing on standard input. */
export interface CliOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Called once, with the first output: closes the pipe that the command writes to. */
  readonly closeStdoutEarly?: boolean;
}

/** Runs the built command as a process whose streams are pipes. */
export function switchyard(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const child = spawn(process.execPath, [appEntry('cli'), ...args], {
    cwd: fixtures,
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', ...options.env },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  if (options.closeStdoutEarly === true) child.stdout.destroy();
  else child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that needs no input may be gone before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs `switchyard overlay ...args --json` and reads the answer. */
export async function askJson<T>(
  args: readonly string[],
  options: CliOptions = {},
): Promise<T & { exit: number | null }> {
  const { code, stdout } = await switchyard(['overlay', ...args, '--json'], options);
  return { ...(JSON.parse(stdout) as T), exit: code };
}
