import { readFileSync } from 'node:fs';

/** Whether a process of this id runs. One that has ended, but whose end nobody has asked for, doesn't. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return stateOf(pid) !== 'Z';
}

/** As Linux has it, after the name, which may hold anything; undefined elsewhere. */
function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0];
  } catch {
    return undefined;
  }
}
