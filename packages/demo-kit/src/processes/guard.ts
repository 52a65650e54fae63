import { spawn } from 'node:child_process';

/** Kills processes when this one is gone without having ended them. */
export interface Guard {
  /** Watches over one process more. */
  add(pid: number): void;
  /** Calls the guard off: everything it watched over was ended in order. */
  release(): void;
}

/** Environment variable of every process of a run: the pid of its demo. */
export const RUN_MARK = 'SWITCHYARD_DEMO';

/**
 * Reads pids until the pipe ends; the end without the word `done` means that the writer was killed. It may have been
 * killed between starting a process and telling of it: where the system shows environments, the mark finds that one.
 */
const SCRIPT = `
while read -r word; do [ "$word" = done ] && exit; all="$all $word"; done
kill -9 $all
for file in $(grep -lsz "^${RUN_MARK}=$1$" /proc/[0-9]*/environ); do kill -9 "$(echo "$file" | cut -d/ -f3)"; done`;

/**
 * Starts a guard. No handler runs when a process is killed by SIGKILL, but a shell at the other end of a pipe notices:
 * so not even `kill -9`, or a CI job that is cut off, leaves the demo's processes behind.
 */
export function startGuard(): Guard {
  // In its own process group: Ctrl-C must not take the guard before the ones it watches over.
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'guard', String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there is no guard; every other way to end is handled by the demo itself.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    add: (pid) => void shell.stdin.write(`${pid}\n`),
    release: () => void shell.stdin.end('done\n'),
  };
}
