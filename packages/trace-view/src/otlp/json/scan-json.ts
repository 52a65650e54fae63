import { OtlpError } from '../otlp-error.ts';

/** An attribute value takes about this many JSON values, keys counted in. */
const NODES_PER_VALUE = 8;
/** Deep enough for attribute values nested as deep as they may be. */
const MAX_JSON_DEPTH = 128;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/**
 * Counts how deep a JSON text is nested and how many values it holds, without making any: a small text of many empty
 * arrays would otherwise take many times its size in memory. It doesn't validate; `JSON.parse` does that afterwards.
 *
 * @throws {@link OtlpError} `malformed` (too deep) or `too_large` (too many values).
 */
export function scanJson(text: Buffer, maxValues: number): void {
  const maxNodes = maxValues * NODES_PER_VALUE;
  let nodes = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at] ?? 0) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COMMA:
      case COLON:
        nodes += 1;
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        nodes += 1;
        depth += 1;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        break;
      default:
    }
    if (depth > MAX_JSON_DEPTH)
      throw new OtlpError('malformed', `the JSON text is nested more than ${MAX_JSON_DEPTH} deep`);
    if (nodes > maxNodes)
      throw new OtlpError(
        'too_large',
        `the JSON text holds more than ${maxNodes} values; send smaller batches`,
      );
  }
}

/** Where the string that starts at `start` ends; the end of the text when it doesn't. */
function endOfString(text: Buffer, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const byte = text[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at;
  }
  return text.length;
}
