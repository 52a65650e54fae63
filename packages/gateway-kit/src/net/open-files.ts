import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';

/** Descriptors that a request holds while it runs: the client's connection and the provider's. */
const PER_REQUEST = 2;
/** Below this a process is out of descriptors before it is out of anything else. */
const ENOUGH = 8192;

/**
 * Tells once, at start, when the system lets this process open so few files that long streams will use them up: further
 * clients would then find nobody who accepts them. Says nothing where the limit cannot be read (outside Linux).
 * @param limitsFile - Where the kernel shows the limits of this process.
 */
export function warnOfFewOpenFiles(log: Logger, limitsFile = '/proc/self/limits'): void {
  const limit = openFilesLimit(limitsFile);
  if (limit === undefined || limit >= ENOUGH) return;
  log.warn(
    { openFilesMax: limit, enough: ENOUGH },
    `at most ${limit} files may be open: enough for ${Math.floor(limit / PER_REQUEST)} requests at once, each of which holds two; raise the limit (ulimit -n, LimitNOFILE, --ulimit nofile)`,
  );
}

/** The soft limit, which Node.js has raised to the hard one before any of our code runs. */
function openFilesLimit(limitsFile: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(limitsFile, 'utf8');
  } catch {
    return undefined;
  }
  const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return soft === undefined ? undefined : Number(soft);
}
