import { constants } from 'node:os';
import type { Screen } from '../screen/screen.ts';
import type { Child } from './child.ts';

/** The reason of an abort that the user asked for. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  /** What shells expect of a process that a signal ended. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * First Ctrl-C ends the run in order, the second one at once; no child outlives the demo either way.
 *
 * @returns Takes the signal handlers away again.
 */
export function onInterrupt(abort: AbortController, children: readonly Child[]): () => void {
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

/** The result of `work`, or a rejection with the signal's reason, whichever comes first. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason);
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted, { once: true });
    work.then(resolve, reject);
  });
}

/** Waits for Ctrl-C; the death of a child ends it as an error. */
export async function keepRunning(screen: Screen, signal: AbortSignal): Promise<void> {
  screen.line('\nEverything keeps running. Press Ctrl-C to stop it.');
  // The timer keeps this process alive; the children alone would not.
  const timer = setInterval(() => undefined, 60_000);
  if (!signal.aborted) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
  clearInterval(timer);
  if (!(signal.reason instanceof Interrupted)) throw signal.reason;
}
