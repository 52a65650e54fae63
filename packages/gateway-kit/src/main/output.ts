import process from 'node:process';

const FLUSH_LIMIT_MS = 1000;

/**
 * Lets stdout and stderr be closed by the reader (`app --help | head -1`) without a crash: what nobody reads is
 * dropped. Any other write error is dropped too: there is no place left to report it.
 */
export function tolerateClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Writes one JSON line on stdout. */
export function printLine(event: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** Ends the process after what was written has left it (pipes are asynchronous), but within a second. */
export async function exitAfterFlush(code: number): Promise<never> {
  process.exitCode = code;
  const flushed = Promise.all([process.stdout, process.stderr].map(flush));
  await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, FLUSH_LIMIT_MS))]);
  process.exit(code);
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
