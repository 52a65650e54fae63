// Hot path: runs over every request body. See bench/scan-top-level-string.bench.ts.
import { decodeString, JsonCursor, Malformed } from './json-cursor.ts';

/** JSON types other than string. */
export type NonStringType = 'number' | 'boolean' | 'null' | 'object' | 'array';

/** What {@link scanTopLevelString} found. */
export type ScanResult =
  | { readonly kind: 'string'; readonly value: string }
  /** A JSON object without that key. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'not_string'; readonly found: NonStringType }
  /** Not a JSON object. `offset` counts bytes; `message` says what was expected there. */
  | { readonly kind: 'malformed'; readonly offset: number; readonly message: string };

/**
 * Finds the string value of one key of a JSON object without parsing the rest: the same answer as
 * `JSON.parse(body)[key]`, for a small part of the cost. The last of several equal keys wins; escapes in keys and
 * in the value are resolved; keys of nested objects don't count.
 *
 * Validated: that the body is one object and nothing else (no byte order mark, no trailing bytes); its keys, colons,
 * commas, numbers and literals; the value that is returned; that every string is closed and every bracket is closed by
 * its own kind. Not validated: the inside of nested values and of other strings. So every object that `JSON.parse`
 * accepts is answered as it would be, and `malformed` is said only of what it refuses or what is no object; not
 * everything that it refuses is found.
 *
 * Memory is one bit per nesting level and the returned value; nesting is not limited by the stack.
 */
export function scanTopLevelString(body: Buffer, key: string): ScanResult {
  try {
    return scanObject(new JsonCursor(body), key);
  } catch (error) {
    if (error instanceof Malformed)
      return { kind: 'malformed', offset: error.offset, message: error.message };
    throw error;
  }
}

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function scanObject(cursor: JsonCursor, key: string): ScanResult {
  const { body } = cursor;
  let start = -1;
  let end = -1;
  let found: NonStringType | undefined;

  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf)
    cursor.fail('a JSON object, without a byte order mark');
  cursor.skipSpace();
  cursor.expect(OPEN_OBJECT, 'a JSON object, starting with "{"');
  cursor.skipSpace();
  let more = body[cursor.at] !== CLOSE_OBJECT;
  if (!more) cursor.at++;
  while (more) {
    const matches = readKey(cursor, key);
    cursor.skipSpace();
    cursor.expect(COLON, '":" after a key');
    cursor.skipSpace();
    if (body[cursor.at] === QUOTE) {
      const from = cursor.at;
      cursor.skipString();
      if (matches) {
        start = from;
        end = cursor.at;
        found = undefined;
      }
    } else {
      const type = cursor.skipOther();
      if (matches) {
        start = -1;
        found = type;
      }
    }
    cursor.skipSpace();
    more = body[cursor.at] === COMMA;
    if (!more) {
      cursor.expect(CLOSE_OBJECT, '"," or "}" after a value');
      break;
    }
    cursor.at++;
    cursor.skipSpace();
  }
  cursor.skipSpace();
  if (cursor.at < body.length) cursor.fail('nothing after the JSON object');
  if (start >= 0) return { kind: 'string', value: decodeString(body, start, end) };
  return found === undefined ? { kind: 'missing' } : { kind: 'not_string', found };
}

/** Reads one key and tells whether it is the wanted one. */
function readKey(cursor: JsonCursor, key: string): boolean {
  const { body } = cursor;
  const from = cursor.at;
  if (body[from] !== QUOTE) cursor.fail('a key in double quotes');
  const plain = cursor.skipKey();
  if (!plain) return decodeString(body, from, cursor.at) === key;
  if (cursor.at - from - 2 !== key.length) return false;
  for (let i = 0; i < key.length; i++) {
    if (body[from + 1 + i] !== key.charCodeAt(i)) return false;
  }
  return true;
}
