// Hot path: one line per request; everything else happens once per write.

/** Writes JSON lines. */
export interface LineWriter {
  write(line: Readonly<Record<string, unknown>>): void;
  /** The same for a line that is JSON text already, without its newline. */
  writeJson(line: string): void;
  /** Writes what is still held back. */
  flush(): void;
}

/** How long a line may be held back, in milliseconds: few writes for a busy gateway, none that a reader would miss. */
const HOLD_MS = 50;
/** Characters held back at most. */
const HOLD_LENGTH = 65_536;

/**
 * Lines are held back for at most 50 ms or 64 KiB and leave in one write, so that a busy gateway makes few system calls.
 *
 * @param write - Takes text that ends with a newline.
 */
export function createLineWriter(write: (text: string) => void): LineWriter {
  let pending = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === '') return;
    const text = pending;
    pending = '';
    write(text);
  };
  const writeJson = (line: string): void => {
    pending += line;
    pending += '\n';
    if (pending.length >= HOLD_LENGTH) flush();
    else timer ??= setTimeout(flush, HOLD_MS);
  };
  return { write: (line) => writeJson(JSON.stringify(line)), writeJson, flush };
}

/** A {@link LineWriter} on stdout. What it holds back is written even when the process is ended by `process.exit`. */
export function stdoutLines(): LineWriter {
  const lines = createLineWriter((text) => process.stdout.write(text));
  process.once('exit', lines.flush);
  return lines;
}
