/** A value with its place in the text, in UTF-16 code units from the start. */
export interface JsonNode {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
  /** Of an object: every member as written, repetitions included. */
  readonly members?: readonly JsonMember[];
  /** Of an array. */
  readonly items?: readonly JsonNode[];
}

/** One written member of an object. */
interface JsonMember {
  /** Unescaped. */
  readonly name: string;
  /** Of the name's opening quote. */
  readonly start: number;
  readonly node: JsonNode;
}

/** Either the tree, or where reading stopped: the first character that can't be JSON, or that nests too deep. */
export type JsonScan =
  | { readonly root: JsonNode; readonly stoppedAt: undefined }
  | { readonly root: undefined; readonly stoppedAt: number };

/** Far below the smallest stack: the scanner is recursive. */
const DEPTH_MAX = 1000;

/**
 * Where everything stands in a JSON text (RFC 8259, no leniency: a YAML or JSON5 reader would accept, and so fail to
 * point at, what the contract refuses). Values aren't read: JSON.parse does that.
 *
 * @param maxDepth - Deepest nesting of objects and arrays, at most 1000. Default 1000.
 */
export function scanJson(text: string, maxDepth: number = DEPTH_MAX): JsonScan {
  const scanner = new Scanner(text, Math.min(maxDepth, DEPTH_MAX));
  const root = scanner.document();
  return root === undefined ? { root: undefined, stoppedAt: scanner.at } : { root, stoppedAt: undefined };
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const SPACE = /[ \t\n\r]*/y;

/** Reads from `at` on. A method that returns undefined has failed and left `at` on the culprit. */
class Scanner {
  readonly #text: string;
  readonly #maxDepth: number;
  at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  document(): JsonNode | undefined {
    const root = this.#value(0);
    if (root === undefined) return undefined;
    this.#skip(SPACE);
    return this.at === this.#text.length ? root : undefined;
  }

  #value(depth: number): JsonNode | undefined {
    this.#skip(SPACE);
    const start = this.at;
    const first = this.#text[start];
    if (first === '"') return this.#string() ? { start, end: this.at } : undefined;
    if (first !== '{' && first !== '[') return this.#skip(SCALAR) > 0 ? { start, end: this.at } : undefined;
    if (depth >= this.#maxDepth) return undefined;
    return first === '{' ? this.#object(start, depth + 1) : this.#array(start, depth + 1);
  }

  #object(start: number, depth: number): JsonNode | undefined {
    const members: JsonMember[] = [];
    this.at++;
    if (this.#take('}')) return { start, end: this.at, members };
    do {
      this.#skip(SPACE);
      const nameStart = this.at;
      if (this.#text[nameStart] !== '"' || !this.#string()) return undefined;
      const name = String(JSON.parse(this.#text.slice(nameStart, this.at)));
      const node = this.#take(':') ? this.#value(depth) : undefined;
      if (node === undefined) return undefined;
      members.push({ name, start: nameStart, node });
    } while (this.#take(','));
    return this.#take('}') ? { start, end: this.at, members } : undefined;
  }

  #array(start: number, depth: number): JsonNode | undefined {
    const items: JsonNode[] = [];
    this.at++;
    if (this.#take(']')) return { start, end: this.at, items };
    do {
      const item = this.#value(depth);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#take(','));
    return this.#take(']') ? { start, end: this.at, items } : undefined;
  }

  /** A loop, since a pattern would need a stack as long as the string. */
  #string(): boolean {
    this.at++;
    for (;;) {
      const character = this.#text[this.at];
      if (character === '\\') {
        if (this.#skip(ESCAPE) === 0) return false;
      } else if (character === undefined || character < ' ') return false;
      else {
        this.at++;
        if (character === '"') return true;
      }
    }
  }

  /** The character after white space, if it is `expected`. */
  #take(expected: string): boolean {
    this.#skip(SPACE);
    if (this.#text[this.at] !== expected) return false;
    this.at++;
    return true;
  }

  /** Passes over what the sticky `pattern` matches here; returns its length. */
  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.at += length;
    return length;
  }
}
