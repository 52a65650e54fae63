// Hot path: index loops over bytes; long strings are jumped over with indexOf (memchr).
import type { HeldBody } from '../body/body-pieces.ts';
import { BracketStack } from './bracket-stack.ts';
import { Malformed } from './malformed.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const ZERO = 0x30;
const KNOWN_ESCAPES = 'a string without control characters or unknown escapes';
const ESCAPABLE: Buffer = Buffer.from('"\\/bfnrtu');
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;

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
 * A position in JSON text, and the ways to move over one token or value. The text may come in pieces; `at` counts in the
 * present one, `offset` in all.
 *
 * @internal
 */
export class JsonCursor {
  readonly #body: HeldBody;
  readonly #pieces: readonly Buffer[];
  #next = 1;
  #piece: Buffer;
  /** Bytes of the pieces before the present one. */
  #before = 0;
  #at = 0;

  constructor(body: HeldBody) {
    this.#body = body;
    this.#pieces = Buffer.isBuffer(body) ? [body] : body.pieces;
    this.#piece = this.#pieces[0] ?? NOTHING;
  }

  /** Where the cursor stands, from the beginning of the body. */
  get offset(): number {
    return this.#before + this.#at;
  }

  /** The byte at the cursor; undefined at the end. */
  get byte(): number | undefined {
    return this.#at < this.#piece.length || this.#turnPage() ? this.#piece[this.#at] : undefined;
  }

  advance(): void {
    this.#at++;
  }

  /** @throws {@link Malformed} always */
  fail(expected: string, offset: number = this.offset): never {
    throw new Malformed(offset, offset >= this.#body.length ? `${expected}, found the end` : expected);
  }

  expect(byte: number, what: string): void {
    if (this.byte !== byte) this.fail(what);
    this.#at++;
  }

  skipSpace(): void {
    for (;;) {
      const byte = this.#piece[this.#at];
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) this.#at++;
      else if (byte !== undefined || !this.#turnPage()) return;
    }
  }

  /** The bytes from `start` to the cursor; a copy when they lie in several pieces. */
  since(start: number): Buffer {
    const from = start - this.#before;
    // To look for a piece in the whole body would cost the square, were each key to be looked for.
    return from < 0 ? this.#body.subarray(start, this.offset) : this.#piece.subarray(from, this.#at);
  }

  /** Moves from the opening quote of a key to its closing one; `true` when it is ASCII without an escape. */
  toEndOfKey(): boolean {
    let plain = true;
    const start = this.offset;
    this.#at++;
    for (;;) {
      const byte = this.byte;
      if (byte === undefined) return this.fail('a closing quote', this.#body.length);
      if (byte === QUOTE) return plain;
      if (byte < 0x20) this.fail('no control character inside a key');
      if (byte > 0x7e) plain = false;
      if (byte === BACKSLASH) {
        plain = false;
        this.#at++;
        this.#checkEscape(start);
      }
      this.#at++;
    }
  }

  /** Moves from the byte after a backslash to the last one of its escape, in the key that begins at `start`. */
  #checkEscape(start: number): void {
    const letter = this.byte;
    if (letter === undefined || !ESCAPABLE.includes(letter)) this.fail(KNOWN_ESCAPES, start);
    if (letter !== SMALL_U) return;
    for (let digit = 0; digit < 4; digit++) {
      this.#at++;
      const byte = this.byte;
      if (byte === undefined || !isHexDigit(byte)) this.fail(KNOWN_ESCAPES, start);
    }
  }

  /** Moves from an opening quote past the closing one. */
  skipString(): void {
    this.#at++;
    while (!this.#stringEnds()) {
      if (!this.#turnPage()) this.fail('a closing quote', this.#body.length);
    }
  }

  /** Moves over a value that is not a string and names its type. */
  skipOther(): 'number' | 'boolean' | 'null' | 'object' | 'array' {
    const first = this.byte;
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

  /** Goes on to the next piece. `#at` may have been moved beyond the end, over an escaped byte. */
  #turnPage(): boolean {
    while (this.#at >= this.#piece.length) {
      const next = this.#pieces[this.#next];
      if (next === undefined) return false;
      this.#next++;
      this.#before += this.#piece.length;
      this.#at -= this.#piece.length;
      this.#piece = next;
    }
    return true;
  }

  #skipLiteral<T>(text: string, type: T): T {
    const start = this.offset;
    for (let i = 0; i < text.length; i++) {
      if (this.byte !== text.charCodeAt(i)) this.fail('a value', start);
      this.#at++;
    }
    return type;
  }

  /** Inside a string, not after a backslash: moves past the closing quote, or to the end of the piece. */
  #stringEnds(): boolean {
    const piece = this.#piece;
    let at = this.#at;
    for (const stop = Math.min(at + LOOP_BYTES, piece.length); at < stop; at++) {
      const byte = piece[at];
      if (byte === QUOTE) {
        this.#at = at + 1;
        return true;
      }
      // The escaped byte may be a quote; skipping it also keeps `at` off the second of two backslashes.
      if (byte === BACKSLASH) at++;
    }
    this.#at = at;
    return at < piece.length && this.#jumpString(at);
  }

  #jumpString(from: number): boolean {
    const piece = this.#piece;
    let searched = from;
    for (;;) {
      const found = piece.indexOf(QUOTE, searched);
      const end = found < 0 ? piece.length : found;
      let backslashes = 0;
      while (end - backslashes > from && piece[end - backslashes - 1] === BACKSLASH) backslashes++;
      const escaped = backslashes % 2 === 1;
      searched = end + 1;
      if (found < 0) {
        this.#at = escaped ? searched : end;
        return false;
      }
      if (!escaped) {
        this.#at = searched;
        return true;
      }
    }
  }

  /** Moves over an object or array; only brackets and quotes are looked at. */
  #skipNested(): void {
    const open = new BracketStack();
    do {
      while (this.#toStructural()) {
        const byte = this.#piece[this.#at];
        if (byte === QUOTE) {
          this.skipString();
          continue;
        }
        if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open.push(byte === OPEN_OBJECT);
        else if (open.pop() !== (byte === CLOSE_OBJECT)) this.fail('a bracket closed by its own kind');
        this.#at++;
        if (open.depth === 0) return;
      }
    } while (this.#turnPage());
    this.fail('a closing bracket', this.#body.length);
  }

  /** Moves to the next bracket or quote of the piece, or to its end. */
  #toStructural(): boolean {
    const piece = this.#piece;
    let at = this.#at;
    while (at < piece.length && STRUCTURAL[piece[at] ?? 0] === 0) at++;
    this.#at = at;
    return at < piece.length;
  }

  #skipNumber(): void {
    const start = this.offset;
    const first = this.byte;
    let byte = first;
    let digits = true;
    for (; isNumberByte(byte); byte = this.byte) {
      if (!isDigit(byte)) digits = false;
      this.#at++;
    }
    // A whole number, as nearly all are, needs no copy.
    const length = this.offset - start;
    if (digits && length > 0 && (length === 1 || first !== ZERO)) return;
    const text = this.since(start).toString('latin1');
    if (!NUMBER.test(text)) this.fail('a value', start);
  }
}

const NOTHING = Buffer.alloc(0);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

function isNumberByte(byte: number | undefined): byte is number {
  if (byte === undefined) return false;
  // Digits, "+", "-", ".", "E", "e"
  return isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e || (byte | 0x20) === 0x65;
}
