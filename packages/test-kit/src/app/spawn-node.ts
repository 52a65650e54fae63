import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a process ended: one of the two is set, as node reports it. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running `node` process whose output is kept by line. */
export interface NodeProcess {
  readonly pid: number;
  /** Complete lines so far. */
  readonly stdout: string[];
  /** Complete lines so far. */
  readonly stderr: string[];
  /** Resolves once the process has ended and its output is complete. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Sends a signal; false when the process is already gone. */
  kill(signal: NodeJS.Signals): boolean;
}

/** Options of {@link spawnNode}. */
export interface SpawnNodeOptions {
  readonly cwd?: string;
  /** On top of the few variables a process needs to start; nothing else of the test's environment leaks in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onStdoutLine?: (line: string) => void;
}

const KEPT_VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'LANG',
  'TZ',
  'NODE_V8_COVERAGE',
];

/** Starts `node ...args`. The process is killed when this process ends, however it ends. */
export function spawnNode(args: readonly string[], options: SpawnNodeOptions = {}): NodeProcess {
  const child = spawn(process.execPath, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...keptEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A folder that isn't there is told twice: by the missing pid, and by this event, which nobody may leave unheard.
  child.on('error', () => undefined);
  if (child.pid === undefined) throw new Error(`Could not start ${process.execPath}`);
  const released = guard(child.pid);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', released);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    pid: child.pid,
    stdout: collectLines(child.stdout, options.onStdoutLine),
    stderr: collectLines(child.stderr),
    exited,
    kill: (signal) => child.kill(signal),
  };
}

function keptEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function collectLines(stream: ChildProcess['stdout'], onLine?: (line: string) => void): string[] {
  const lines: string[] = [];
  if (stream === null) return lines;
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(line);
    onLine?.(line);
  });
  return lines;
}

/**
 * An exit handler does not run when a test worker is killed. A shell that waits on a pipe of ours does notice:
 * end of file without the word means that we are gone, and it kills the process.
 * Returns the function that calls the guard off.
 */
function guard(pid: number): () => void {
  if (process.platform === 'win32') {
    const onExit = (): void => {
      process.kill(pid);
    };
    process.once('exit', onExit);
    return () => process.removeListener('exit', onExit);
  }
  const script = 'read -r word || kill -9 "$1" 2>/dev/null';
  // Detached: Ctrl-C in a terminal reaches the whole group, and must not take the guard first.
  const shell = spawn('/bin/sh', ['-c', script, 'guard', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return () => shell.stdin.end('done\n');
}
