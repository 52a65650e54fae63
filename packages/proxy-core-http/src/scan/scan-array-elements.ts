import { JsonCursor } from './json-cursor.ts';
import { Malformed } from './malformed.ts';
import type { MalformedBody } from './scan-top-level-keys.ts';

/** Where the elements of an array are: `body.subarray(start, end)` is the JSON of one. */
export type ElementScan =
  | {
      readonly kind: 'scanned';
      readonly elements: readonly { readonly start: number; readonly end: number }[];
    }
  | MalformedBody;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * Finds the elements of a JSON array without parsing them, so that each can be looked at as it was sent: parsed and
 * written anew, a key that stands twice would stand once. Checked as by {@link scanTopLevelKeys}: brackets, strings,
 * commas, numbers and literals, not the inside of nested values.
 */
export function scanArrayElements(body: Buffer): ElementScan {
  const cursor = new JsonCursor(body);
  const elements: { start: number; end: number }[] = [];
  try {
    cursor.skipSpace();
    cursor.expect(OPEN_ARRAY, 'a JSON array, starting with "["');
    cursor.skipSpace();
    let more = cursor.byte !== CLOSE_ARRAY;
    while (more) {
      const start = cursor.offset;
      if (cursor.byte === QUOTE) cursor.skipString();
      else cursor.skipOther();
      elements.push({ start, end: cursor.offset });
      cursor.skipSpace();
      more = cursor.byte === COMMA;
      if (more) cursor.advance();
      cursor.skipSpace();
    }
    cursor.expect(CLOSE_ARRAY, '"," or "]" after an element');
    cursor.skipSpace();
    if (cursor.offset < body.length) cursor.fail('nothing after the JSON array');
    return { kind: 'scanned', elements };
  } catch (error) {
    if (error instanceof Malformed)
      return { kind: 'malformed', offset: error.offset, message: error.message };
    throw error;
  }
}
