/** Writes JSON lines. */
export interface LineWriter {
  write(line: Readonly<Record<string, unknown>>): void;
  /** Writes what is still held back. */
  flush(): void;
}

/**
 * Lines of one turn of the event loop leave in one write, so that a busy gateway makes few system calls.
 *
 * @param write - Takes text that ends with a newline.
 */
export function createLineWriter(write: (text: string) => void): LineWriter {
  let pending = '';
  const flush = (): void => {
    if (pending === '') return;
    const text = pending;
    pending = '';
    write(text);
  };
  return {
    write(line) {
      if (pending === '') setImmediate(flush);
      pending += `${JSON.stringify(line)}\n`;
    },
    flush,
  };
}
