// Hot path: runs over every JSON request body. See bench/scan-top-level-keys.bench.ts.
import type { HeldBody } from '../body/body-pieces.ts';
import { JsonCursor } from './json-cursor.ts';
import { spelling } from './json-key.ts';
import { decodeUnicodeString } from './json-string.ts';
import { Malformed } from './malformed.ts';

/** The value of one key. `start` and `end` are the value's bytes in the body: `body.subarray(start, end)` is JSON again. */
export type ScannedValue =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number' | 'object' | 'array'; readonly start: number; readonly end: number }
  | { readonly kind: 'null' };

/** A body that is not what it should be. `offset` counts bytes; `message` says what was expected there. */
export interface MalformedBody {
  readonly kind: 'malformed';
  readonly offset: number;
  readonly message: string;
}

/** What {@link scanTopLevelKeys} found: one value per wanted key, in their order; undefined where the key is missing. */
export type KeyScan<Keys extends readonly string[]> =
  | {
      readonly kind: 'scanned';
      readonly values: { readonly [At in keyof Keys]: ScannedValue | undefined };
      /**
       * The first of the wanted keys that stands in the object more than once, for callers to whom that is an error; or
       * that stands there in other case of ASCII letters, though its value doesn't count then: to some readers (Go's
       * `encoding/json`) it is the same key, and they see one where others see none.
       */
      readonly repeated: Keys[number] | undefined;
    }
  | MalformedBody;

/**
 * Finds the values of a few keys of a JSON object in one pass, without parsing the rest: the same answers as
 * `JSON.parse(body)[key]`, for a small part of the cost. The last of several equal keys wins; escapes in keys and
 * in strings are resolved; keys of nested objects don't count. For a key inside an object that was found, scan
 * `body.subarray(start, end)` again.
 *
 * Validated: that the body is one object and nothing else (no byte order mark, no trailing bytes); its keys, colons,
 * commas, numbers and literals; that every string is closed and every bracket is closed by its own kind; and strings
 * that are returned, which must be UTF-8 without lone surrogates, so that no two spellings of one value exist. Not
 * validated: the inside of nested values and of other strings. So `malformed` is said only of what `JSON.parse` refuses,
 * of what is no object, and of a returned string that is not valid Unicode; not everything that is wrong is found.
 *
 * Memory is one bit per nesting level and the returned values; nesting is limited neither by the stack nor otherwise.
 *
 * @param keys distinct; meant for a handful, each is compared with every key of the body that is as long
 */
export function scanTopLevelKeys<const Keys extends readonly string[]>(
  body: HeldBody,
  keys: Keys,
): KeyScan<Keys> {
  try {
    const found = scanObject(body, keys);
    const values = keys.map((_, index) => valueAt(body, found, index));
    const repeated = keys[found.seen.findIndex((times) => times > 1)];
    // A tuple mapped by Array.map is typed as an array of unknown length; it has one element per key.
    return { kind: 'scanned', values: values as { [At in keyof Keys]: ScannedValue | undefined }, repeated };
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
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Where the last value of each wanted key is, and how often the key was seen; indexed like the keys. */
interface Found {
  readonly starts: number[];
  readonly ends: number[];
  readonly seen: number[];
}

/** Moves over the whole body and notes where the wanted values are. */
function scanObject(body: HeldBody, keys: readonly string[]): Found {
  const cursor = new JsonCursor(body);
  const found: Found = { starts: [], ends: [], seen: [] };
  for (let index = 0; index < keys.length; index++) found.seen.push(0);
  if (cursor.byte === 0xef && BYTE_ORDER_MARK.equals(body.subarray(0, 3)))
    cursor.fail('a JSON object, without a byte order mark');
  cursor.skipSpace();
  cursor.expect(OPEN_OBJECT, 'a JSON object, starting with "{"');
  cursor.skipSpace();
  let more = cursor.byte !== CLOSE_OBJECT;
  if (!more) cursor.advance();
  while (more) {
    const { wanted, otherCase } = readKey(cursor, keys);
    cursor.skipSpace();
    cursor.expect(COLON, '":" after a key');
    cursor.skipSpace();
    const start = cursor.offset;
    if (cursor.byte === QUOTE) cursor.skipString();
    else cursor.skipOther();
    if (wanted >= 0 && otherCase) found.seen[wanted] = OTHER_CASE;
    else if (wanted >= 0) {
      found.starts[wanted] = start;
      found.ends[wanted] = cursor.offset;
      found.seen[wanted] = (found.seen[wanted] ?? 0) + 1;
    }
    cursor.skipSpace();
    more = cursor.byte === COMMA;
    if (!more) {
      cursor.expect(CLOSE_OBJECT, '"," or "}" after a value');
      break;
    }
    cursor.advance();
    cursor.skipSpace();
  }
  cursor.skipSpace();
  if (cursor.offset < body.length) cursor.fail('nothing after the JSON object');
  return found;
}

/** Which of the wanted keys one is; -1 = none. */
interface ReadKey {
  readonly wanted: number;
  readonly otherCase: boolean;
}

/** Counts as often enough. */
const OTHER_CASE = 2;
const UNWANTED: ReadKey = { wanted: -1, otherCase: false };

function readKey(cursor: JsonCursor, keys: readonly string[]): ReadKey {
  if (cursor.byte !== QUOTE) cursor.fail('a key in double quotes');
  const start = cursor.offset + 1;
  const plain = cursor.toEndOfKey();
  const length = cursor.offset - start;
  let read = UNWANTED;
  let raw: Buffer | undefined;
  for (let wanted = 0; wanted < keys.length && read === UNWANTED; wanted++) {
    const key = keys[wanted] ?? '';
    // Nearly every key is out by its length alone.
    if (plain && length !== key.length) continue;
    raw ??= cursor.since(start);
    const how = spelling(raw, key);
    if (how !== 'different') read = { wanted, otherCase: how === 'other_case' };
  }
  cursor.advance();
  return read;
}

function valueAt(body: HeldBody, found: Found, index: number): ScannedValue | undefined {
  const start = found.starts[index];
  const end = found.ends[index];
  if (start === undefined || end === undefined) return undefined;
  const bytes = body.subarray(start, end);
  switch (bytes[0] ?? 0) {
    case QUOTE:
      return { kind: 'string', value: decodeUnicodeString(bytes, start) };
    case OPEN_OBJECT:
      return { kind: 'object', start, end };
    case 0x5b: // [
      return { kind: 'array', start, end };
    case 0x74: // true
      return { kind: 'boolean', value: true };
    case 0x66: // false
      return { kind: 'boolean', value: false };
    case 0x6e: // null
      return { kind: 'null' };
    default:
      return { kind: 'number', start, end };
  }
}
