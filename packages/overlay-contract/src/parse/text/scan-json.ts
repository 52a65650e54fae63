// Hot path: runs over every byte before JSON.parse.

/** What one pass over the bytes learns before anything is parsed. */
export interface JsonScan {
  /** Deepest nesting seen. */
  readonly depth: number;
  /** Byte offset at which the depth limit was passed, else -1; the scan stops there. */
  readonly tooDeepAt: number;
  /** Colons outside strings. In valid JSON: the number of members written. */
  readonly colons: number;
  /** Containers still open at the end: a file cut short, in valid JSON 0. */
  readonly openAtEnd: number;
  /** The end fell inside a string. */
  readonly stringAtEnd: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Counts nesting and structural colons. JSON.parse survives a million brackets but everything after it would not,
 * so the depth is judged here, before a tree exists. Works on bytes: no UTF-8 continuation byte looks like ASCII.
 */
export function scanJson(bytes: Uint8Array, maxDepth: number): JsonScan {
  let depth = 0;
  let deepest = 0;
  let colons = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) {
      index = stringEnd(bytes, index);
      if (index < 0) return { depth: deepest, tooDeepAt: -1, colons, openAtEnd: depth, stringAtEnd: true };
    } else if (byte < COLON) continue;
    else if (byte === COLON) colons++;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (depth > maxDepth) return { depth, tooDeepAt: index, colons, openAtEnd: depth, stringAtEnd: false };
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return { depth: deepest, tooDeepAt: -1, colons, openAtEnd: depth, stringAtEnd: false };
}

/** Offset of the quote that closes the string which opens at `start`; -1 when there is none. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    if (byte === BACKSLASH) index++;
  }
  return -1;
}
