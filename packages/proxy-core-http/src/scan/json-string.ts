import { isUtf8 } from 'node:buffer';
import { Malformed } from './malformed.ts';

const BACKSLASH = 0x5c;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Decodes a string with its quotes, checking it as JSON.parse does. Bytes that are not UTF-8 become U+FFFD, as everywhere
 * in Node.
 *
 * @param offset - where it stands in the body
 * @throws {@link Malformed}
 * @internal
 */
export function decodeString(quoted: Buffer, offset: number): string {
  if (isPlain(quoted)) return quoted.toString('latin1', 1, quoted.length - 1);
  try {
    return JSON.parse(quoted.toString('utf8')) as string;
  } catch {
    throw new Malformed(offset, 'a string without control characters or unknown escapes');
  }
}

/**
 * As {@link decodeString}, but refuses what is no Unicode text: two values that differ only in such bytes would decode
 * to one string.
 *
 * @throws {@link Malformed}
 * @internal
 */
export function decodeUnicodeString(quoted: Buffer, offset: number): string {
  if (isPlain(quoted)) return quoted.toString('latin1', 1, quoted.length - 1);
  if (!isUtf8(quoted)) throw new Malformed(offset, 'a string in UTF-8');
  const text = decodeString(quoted, offset);
  if (LONE_SURROGATE.test(text)) throw new Malformed(offset, 'a string without lone surrogates');
  return text;
}

/** Printable ASCII without escapes: what nearly every model name is. */
function isPlain(quoted: Buffer): boolean {
  for (let at = 1; at < quoted.length - 1; at++) {
    const byte = quoted[at] ?? 0;
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return false;
  }
  return true;
}
