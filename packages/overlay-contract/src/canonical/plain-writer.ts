// Hot path: writes every hashed value of a document; number formatting dominates. See bench/.
/// <reference lib="es2024.string" />
import { Shapes } from './shapes.ts';

/** Deeper values are left to the thorough writer, which says whether they are a cycle. */
const DEPTH_MAX = 1000;

/** Control characters, quote, backslash, and surrogates, paired or not. Everything else stands for itself. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters JSON must escape
const NEEDS_CARE = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** The value is not one that plain JSON gives: the thorough writer knows what it is, and where. */
class NotPlain extends Error {}

/**
 * Writes the RFC 8785 text of plain values, those JSON.parse returns, and counts their members on the way. Gives up
 * on anything else without saying why; `canonical-json.ts` is the thorough twin that does.
 */
export class PlainWriter {
  readonly #shapes = new Shapes(writeString);
  #members = 0;

  /** Members of all objects written so far. */
  get members(): number {
    return this.#members;
  }

  /** The canonical text, or undefined when the value is not plain (then {@link members} means nothing any more). */
  tryWrite(value: unknown): string | undefined {
    try {
      return this.#write(value, 0);
    } catch (error) {
      if (error instanceof NotPlain) return undefined;
      throw error;
    }
  }

  #write(value: unknown, depth: number): string {
    if (typeof value === 'string') return writeString(value);
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new NotPlain();
      return String(value); // -0 becomes "0" here, as the RFC wants
    }
    if (typeof value === 'boolean') return value ? 'true' : 'false';
    if (value === null) return 'null';
    if (typeof value !== 'object' || depth >= DEPTH_MAX) throw new NotPlain();
    return Array.isArray(value) ? this.#writeArray(value, depth) : this.#writeObject(value, depth);
  }

  #writeArray(array: readonly unknown[], depth: number): string {
    let text = '[';
    for (let index = 0; index < array.length; index++) {
      text += (index === 0 ? '' : ',') + this.#write(array[index], depth + 1);
    }
    return `${text}]`;
  }

  #writeObject(object: object, depth: number): string {
    if (Object.getPrototypeOf(object) !== Object.prototype) throw new NotPlain();
    const names = Object.keys(object);
    if (names.length === 0) return '{}';
    this.#members += names.length;
    const { sorted, prefixes } = this.#shapes.of(names);
    let text = '';
    for (let index = 0; index < sorted.length; index++) {
      const value = (object as Record<string, unknown>)[sorted[index] ?? ''];
      text += (prefixes[index] ?? '') + this.#write(value, depth + 1);
    }
    return `${text}}`;
  }
}

function writeString(text: string): string {
  if (!NEEDS_CARE.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new NotPlain();
  return JSON.stringify(text);
}
