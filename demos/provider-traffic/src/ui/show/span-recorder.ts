import { appendFile } from 'node:fs/promises';
import type { ReceivedExport, Span } from '@switchyard/trace-view';

/** Writes exports to the file of the run that is being measured, and hands their spans on. */
export class SpanRecorder {
  #file: string | null = null;
  readonly #onSpans: (spans: readonly Span[]) => void;

  constructor(onSpans: (spans: readonly Span[]) => void) {
    this.#onSpans = onSpans;
  }

  /** From now on exports are appended to this file, one per line; null: to none, the evidence is complete. */
  writeTo(file: string | null): void {
    this.#file = file;
  }

  /** For the receiver: keeps an export before it is answered. */
  async keep({ body, spans }: ReceivedExport): Promise<void> {
    this.#onSpans(spans);
    // Parsed and printed again so that one export is one line, whatever its white space was.
    if (this.#file !== null)
      await appendFile(this.#file, `${JSON.stringify(JSON.parse(body.toString('utf8')))}\n`);
  }
}
