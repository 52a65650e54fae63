import type { Json } from '../contract/events.ts';
import { TraceViewError } from '../errors.ts';

const NAME = /^[a-z][A-Za-z0-9_-]{0,63}$/;
/** Bounds of what one process may publish: more is a mistake, not a document. */
const MAX_DOCUMENTS = 64;
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** The published documents: what each name stands for now. Values are copied, so later changes to them don't show. */
export class Documents {
  readonly #values = new Map<string, Json>();

  /** All of them by name. */
  all(): Record<string, Json> {
    return Object.fromEntries(this.#values);
  }

  /**
   * Sets a document.
   *
   * @returns the copy that is kept.
   * @throws {@link TraceViewError} `invalid_document`.
   */
  set(name: string, value: unknown): Json {
    this.#checkName(name);
    const copy = copyJson(name, value);
    this.#values.set(name, copy);
    return copy;
  }

  /**
   * Puts items at the end of a list document, which is made when it isn't there; the oldest leave past `keep`.
   *
   * @returns the copies that are kept.
   * @throws {@link TraceViewError} `invalid_document`, also when the document is no list.
   */
  append(name: string, items: readonly unknown[], keep: number): readonly Json[] {
    this.#checkName(name);
    const list = this.#values.get(name) ?? [];
    if (!Array.isArray(list)) throw invalid(name, 'expected a list to append to, found another document');
    const copies = copyJson(name, items) as readonly Json[];
    const longer = [...(list as readonly Json[]), ...copies];
    this.#values.set(name, longer.slice(Math.max(0, longer.length - keep)));
    return copies;
  }

  #checkName(name: string): void {
    if (!NAME.test(name))
      throw invalid(name, 'expected a name of up to 64 letters, digits, - and _, a small letter first');
    if (!this.#values.has(name) && this.#values.size >= MAX_DOCUMENTS)
      throw invalid(name, `there are ${MAX_DOCUMENTS} documents already`);
  }
}

function copyJson(name: string, value: unknown): Json {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw invalid(name, `not JSON: ${(cause as Error).message}`, cause);
  }
  if (text === undefined) throw invalid(name, `expected a JSON value, found ${typeof value}`);
  if (text.length > MAX_DOCUMENT_BYTES) throw invalid(name, `larger than ${MAX_DOCUMENT_BYTES} characters`);
  return JSON.parse(text) as Json;
}

function invalid(name: string, message: string, cause?: unknown): TraceViewError {
  return new TraceViewError('invalid_document', `document ${JSON.stringify(name)}: ${message}`, { cause });
}
