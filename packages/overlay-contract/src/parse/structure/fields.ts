import { IDENTIFIER_BYTES_MAX } from '../../limits.ts';

const SPACE = 0x20;
const DELETE = 0x7f;
/**
 * One character that is not white space. Unicode's White_Space, spelt out: the published JSON Schema carries this
 * pattern to engines that know no property escapes, and JavaScript's own \S is another set.
 */
export const NOT_BLANK: RegExp = /[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Whether a text has 1 to `maxBytes` UTF-8 bytes and is more than white space. */
export function isIdentifier(text: string, maxBytes: number = IDENTIFIER_BYTES_MAX): boolean {
  // A UTF-16 code unit is at most 3 bytes and at least 1, so most texts need no counting.
  if (text.length > maxBytes) return false;
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) return false;
  const first = text.charCodeAt(0);
  return (first > SPACE && first < DELETE) || NOT_BLANK.test(text);
}

/** The form of an RFC 3339 time; {@link isRfc3339} also asks whether it exists. */
export const RFC_3339: RegExp =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/** Whether a text is an RFC 3339 time that exists: no February 30, hours to 23, a leap second allowed. */
export function isRfc3339(text: string): boolean {
  const match = RFC_3339.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] =
    match.slice(1).map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  return hour <= 23 && minute <= 59 && second <= 60 && offsetHour <= 23 && offsetMinute <= 59;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
