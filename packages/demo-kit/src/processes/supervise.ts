import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FAILURE_FILE, prepareEvidence } from '../evidence/evidence-folder.ts';
import type { Child } from './child.ts';
import { startGuard } from './guard.ts';
import { Interrupted, onInterrupt } from './interrupt.ts';

/** What a run's processes are started with, so that they end whatever happens. */
export interface Supervision {
  /** Every started process; all are ended when the work is over. */
  readonly children: Child[];
  /** Called with the pid of every started process at once. */
  readonly onSpawn: (pid: number) => void;
  /** Aborted by Ctrl-C ({@link Interrupted}), and by the work itself when a process dies. */
  readonly abort: AbortController;
}

/**
 * Does a run's work in an evidence folder of its own. However it ends - done, failed, interrupted, killed - no process
 * outlives it, and a run that came to no verdict says why in `failure.txt`.
 *
 * @param folder - The folder, and what a run writes at the top of it.
 * @returns The work's exit code, or 128 + the signal's number when it was interrupted.
 * @throws UsageError when the folder holds files that are none of the demo's.
 * @throws Error what the work threw.
 */
export async function supervise(
  folder: { readonly directory: string; readonly names: readonly string[] },
  work: (supervision: Supervision) => Promise<number>,
): Promise<number> {
  await prepareEvidence(folder.directory, folder.names);
  const children: Child[] = [];
  const abort = new AbortController();
  const release = onInterrupt(abort, children);
  const guard = startGuard();
  try {
    return await work({ children, abort, onSpawn: guard.add });
  } catch (error) {
    if (abort.signal.reason instanceof Interrupted) return abort.signal.reason.exitCode;
    await writeFile(join(folder.directory, FAILURE_FILE), `${(error as Error).message}\n`);
    throw error;
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    guard.release();
    release();
  }
}
