// Hot path: index loops over bytes; long strings are jumped over with indexOf (memchr).
import { Malformed } from './malformed.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * Bytes of a string looked at one by one before indexOf takes over. Below about this length the call into native code
 * costs more than the loop.
 */
const LOOP_BYTES = 32;

/** 1 for the bytes that matter inside a nested value. One look-up per byte is cheaper than five comparisons. */
const STRUCTURAL: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"{}[]'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * A position in JSON text, and the ways to move over one token or value.
 *
 * @internal
 */
export class JsonCursor {
  readonly body: Buffer;
  at = 0;

  constructor(body: Buffer) {
    this.body = body;
  }

  /** @throws {@link Malformed} always */
  fail(expected: string, offset: number = this.at): never {
    throw new Malformed(offset, offset >= this.body.length ? `${expected}, found the end` : expected);
  }

  expect(byte: number, what: string): void {
    if (this.body[this.at] !== byte) this.fail(what);
    this.at++;
  }

  skipSpace(): void {
    const { body } = this;
    let at = this.at;
    for (;;) {
      const byte = body[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at++;
    }
    this.at = at;
  }

  /** Moves from the opening quote of a key past its closing one; `true` when it is ASCII without an escape. */
  skipKey(): boolean {
    const { body } = this;
    let plain = true;
    for (let at = this.at + 1; at < body.length; at++) {
      const byte = body[at] ?? 0;
      if (byte === QUOTE) {
        this.at = at + 1;
        return plain;
      }
      if (byte < 0x20) this.fail('no control character inside a key', at);
      if (byte > 0x7e) plain = false;
      if (byte === BACKSLASH) {
        plain = false;
        at++;
      }
    }
    return this.fail('a closing quote', body.length);
  }

  /** Moves from an opening quote past the closing one. */
  skipString(): void {
    const { body } = this;
    let at = this.at + 1;
    for (const stop = at + LOOP_BYTES; at < stop; at++) {
      const byte = body[at];
      if (byte === QUOTE) {
        this.at = at + 1;
        return;
      }
      // The escaped byte may be a quote; skipping it also keeps `at` off the second of two backslashes.
      if (byte === BACKSLASH) at++;
    }
    this.#jumpString(at);
  }

  /** Moves over a value that is not a string and names its type. */
  skipOther(): 'number' | 'boolean' | 'null' | 'object' | 'array' {
    const { body } = this;
    const first = body[this.at];
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      this.#skipNested();
      return first === OPEN_OBJECT ? 'object' : 'array';
    }
    if (first === 0x74) return this.#skipLiteral('true', 'boolean');
    if (first === 0x66) return this.#skipLiteral('false', 'boolean');
    if (first === 0x6e) return this.#skipLiteral('null', 'null');
    this.#skipNumber();
    return 'number';
  }

  #skipLiteral<T>(text: string, type: T): T {
    for (let i = 0; i < text.length; i++) {
      if (this.body[this.at + i] !== text.charCodeAt(i)) this.fail('a value');
    }
    this.at += text.length;
    return type;
  }

  /** `from` is inside a string and not the byte after a backslash. */
  #jumpString(from: number): void {
    const { body } = this;
    let searched = from;
    for (;;) {
      const quote = body.indexOf(QUOTE, searched);
      if (quote < 0) this.fail('a closing quote', body.length);
      let backslashes = 0;
      while (quote - backslashes > from && body[quote - backslashes - 1] === BACKSLASH) backslashes++;
      searched = quote + 1;
      if (backslashes % 2 === 0) {
        this.at = searched;
        return;
      }
    }
  }

  /** Moves over an object or array; only brackets and quotes are looked at. */
  #skipNested(): void {
    const { body } = this;
    const open = new BracketStack();
    let at = this.at;
    for (; at < body.length; at++) {
      const byte = body[at] ?? 0;
      if (STRUCTURAL[byte] === 0) continue;
      if (byte === QUOTE) {
        this.at = at;
        this.skipString();
        at = this.at - 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        open.push(byte === OPEN_OBJECT);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (open.pop() !== (byte === CLOSE_OBJECT)) this.fail('a bracket closed by its own kind', at);
        if (open.depth === 0) {
          this.at = at + 1;
          return;
        }
      }
    }
    this.fail('a closing bracket', body.length);
  }

  #skipNumber(): void {
    const start = this.at;
    while (isNumberByte(this.body[this.at])) this.at++;
    const text = this.body.toString('latin1', start, this.at);
    if (!NUMBER.test(text)) this.fail('a value', start);
  }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  // Digits, "+", "-", ".", "E", "e"
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    (byte | 0x20) === 0x65
  );
}

/** Which kind of bracket is open at each level: one bit per level, grown by doubling. */
class BracketStack {
  depth = 0;
  #bits = new Uint32Array(4);

  push(isObject: boolean): void {
    const word = this.depth >>> 5;
    if (word === this.#bits.length) {
      const grown = new Uint32Array(word * 2);
      grown.set(this.#bits);
      this.#bits = grown;
    }
    const mask = 1 << (this.depth & 31);
    const bits = this.#bits[word] ?? 0;
    this.#bits[word] = isObject ? bits | mask : bits & ~mask;
    this.depth++;
  }

  pop(): boolean {
    this.depth--;
    return (((this.#bits[this.depth >>> 5] ?? 0) >>> (this.depth & 31)) & 1) === 1;
  }
}
