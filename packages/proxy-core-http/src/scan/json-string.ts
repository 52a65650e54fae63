import { isUtf8 } from 'node:buffer';
import { Malformed } from './malformed.ts';

const BACKSLASH = 0x5c;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Decodes the string between the quotes at `start` and `end - 1`, checking it as JSON.parse does. Bytes that are not
 * UTF-8 become U+FFFD, as everywhere in Node.
 *
 * @throws {@link Malformed}
 * @internal
 */
export function decodeString(body: Buffer, start: number, end: number): string {
  if (isPlain(body, start + 1, end - 1)) return body.toString('latin1', start + 1, end - 1);
  try {
    return JSON.parse(body.toString('utf8', start, end)) as string;
  } catch {
    throw new Malformed(start, 'a string without control characters or unknown escapes');
  }
}

/**
 * As {@link decodeString}, but refuses what is no Unicode text: two values that differ only in such bytes would decode
 * to one string.
 *
 * @throws {@link Malformed}
 * @internal
 */
export function decodeUnicodeString(body: Buffer, start: number, end: number): string {
  if (isPlain(body, start + 1, end - 1)) return body.toString('latin1', start + 1, end - 1);
  if (!isUtf8(body.subarray(start, end))) throw new Malformed(start, 'a string in UTF-8');
  const text = decodeString(body, start, end);
  if (LONE_SURROGATE.test(text)) throw new Malformed(start, 'a string without lone surrogates');
  return text;
}

/** Printable ASCII without escapes: what nearly every model name is. */
function isPlain(body: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = body[at] ?? 0;
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return false;
  }
  return true;
}
