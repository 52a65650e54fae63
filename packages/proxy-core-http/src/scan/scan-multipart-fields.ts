// Hot path: runs over every form body. Parts are jumped over with indexOf; only their headers are looked at.
import { isUtf8 } from 'node:buffer';
import { Malformed } from './malformed.ts';
import { multipartBoundary } from './multipart-boundary.ts';
import { parsePartHead } from './multipart-part.ts';
import type { MalformedBody } from './scan-top-level-keys.ts';

/** What {@link scanMultipartFields} found: one value per wanted field, in their order; undefined where it is missing. */
export type FieldScan<Names extends readonly string[]> =
  | {
      readonly kind: 'scanned';
      readonly values: { readonly [At in keyof Names]: string | undefined };
      /** The first of the wanted names that several fields have, for callers to whom that is an error. */
      readonly repeated: Names[number] | undefined;
    }
  | MalformedBody;

/** Most parts of a form, as in common servers: each costs some microseconds, however small it is. */
const PARTS_MAX = 1000;

/** Most bytes of the headers of one part. */
const PART_HEAD_BYTES_MAX = 16_384;

/**
 * Finds the values of a few fields of a multipart/form-data body (RFC 7578) in one pass, wherever they stand, also
 * behind a large file. The body is neither copied nor changed.
 *
 * The last of several fields of one name wins, as for keys of JSON. A part with a file name is a file and never a
 * field, whatever its name. Values are UTF-8. Bytes before the first boundary and after the last one are ignored.
 *
 * Strict wherever readers are known to differ, so that what is found here is what every server behind finds: lines end
 * with CRLF, and no boundary stands behind a CR or LF alone, in the preamble and in files neither; the closing boundary is required; a boundary followed by anything but spaces and the end of the line,
 * a part without a name, folded, repeated or `name*` parameters, a content-transfer-encoding that changes the bytes of
 * a wanted field, more than 1000 parts or 16 KiB of headers in one part are `malformed`.
 *
 * @param contentType value of the request's one `content-type` header
 * @param names distinct
 */
export function scanMultipartFields<const Names extends readonly string[]>(
  body: Buffer,
  contentType: string,
  names: Names,
): FieldScan<Names> {
  const found = multipartBoundary(contentType);
  if (!found.ok) return { kind: 'malformed', offset: 0, message: `expected ${found.expected}` };
  try {
    const form = new FormCursor(body, found.boundary, names);
    form.scan();
    return {
      kind: 'scanned',
      // An array with one element per name.
      values: form.values as { [At in keyof Names]: string | undefined },
      repeated: names.find((name) => form.repeated.has(name)),
    };
  } catch (error) {
    if (error instanceof Malformed)
      return { kind: 'malformed', offset: error.offset, message: error.message };
    throw error;
  }
}

const DASH = 0x2d;
const CR = 0x0d;
const LF = 0x0a;
const EMPTY_LINE = Buffer.from('\r\n\r\n');

class FormCursor {
  readonly values: (string | undefined)[];
  readonly repeated = new Set<string>();
  readonly #names: readonly string[];
  readonly #body: Buffer;
  /** CRLF, two dashes and the boundary; at the very start of a body the CRLF is not there. */
  readonly #delimiter: Buffer;
  /** What some readers take for it. */
  readonly #behindCr: Buffer;
  #at = 0;

  constructor(body: Buffer, boundary: string, names: readonly string[]) {
    this.values = names.map(() => undefined);
    this.#names = names;
    this.#body = body;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#behindCr = Buffer.from(`\r--${boundary}`, 'latin1');
  }

  scan(): void {
    this.#skipPreamble();
    for (let parts = 0; !this.#atClose(); parts++) {
      if (parts === PARTS_MAX) fail(`at most ${PARTS_MAX} parts`, this.#at);
      this.#readPart();
    }
  }

  #skipPreamble(): void {
    if (this.#startsWithBoundary(0)) this.#at = this.#delimiter.length - 2;
    else this.#at = this.#endOfPart(0, 'a first boundary') + this.#delimiter.length;
  }

  /** After a boundary: `true` behind the closing one, else moves to the first header of the part. */
  #atClose(): boolean {
    const body = this.#body;
    let at = this.#at;
    const closes = body[at] === DASH && body[at + 1] === DASH;
    if (closes) at += 2;
    while (body[at] === 0x20 || body[at] === 0x09) at++;
    if (closes && at === body.length) return true;
    if (body[at] !== CR || body[at + 1] !== LF) fail('the end of the line after a boundary', at);
    this.#at = at + 2;
    return closes;
  }

  #readPart(): void {
    const headAt = this.#at;
    const window = this.#body.subarray(headAt, headAt + PART_HEAD_BYTES_MAX + EMPTY_LINE.length);
    const headBytes = window.indexOf(EMPTY_LINE);
    if (headBytes < 0) fail(`an empty line after at most ${PART_HEAD_BYTES_MAX} bytes of headers`, headAt);
    const parsed = parsePartHead(window.toString('utf8', 0, headBytes));
    if (!parsed.ok) fail(parsed.expected, headAt);
    const start = headAt + headBytes + EMPTY_LINE.length;
    // Some readers take this for an empty part, others for the beginning of its content.
    if (this.#startsWithBoundary(start)) fail('an empty line between the headers and the boundary', start);
    const end = this.#endOfPart(start, 'a closing boundary');
    this.#at = end + this.#delimiter.length;
    const { head } = parsed;
    const index = head.isFile ? -1 : this.#names.indexOf(head.name);
    if (index < 0) return;
    if (this.values[index] !== undefined) this.repeated.add(head.name);
    this.values[index] = fieldValue(this.#body.subarray(start, end), head.transferEncoding, start);
  }

  /** Where the CRLF before the next boundary is. */
  #endOfPart(from: number, expected: string): number {
    const body = this.#body;
    const lineFeed = body.indexOf(this.#delimiter.subarray(1), from);
    if (lineFeed < 0) fail(`${expected}, found the end`, body.length);
    const end = lineFeed - 1;
    if (end < from || body[end] !== CR) fail('CR LF before every boundary', lineFeed);
    const bare = body.subarray(from, end).indexOf(this.#behindCr);
    if (bare >= 0) fail('CR LF before every boundary', from + bare);
    return end;
  }

  #startsWithBoundary(at: number): boolean {
    const delimiter = this.#delimiter;
    const end = at + delimiter.length - 2;
    return end <= this.#body.length && this.#body.compare(delimiter, 2, delimiter.length, at, end) === 0;
  }
}

const UNCHANGED: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

function fieldValue(bytes: Buffer, transferEncoding: string, offset: number): string {
  if (!UNCHANGED.has(transferEncoding)) fail('a field without a content-transfer-encoding', offset);
  if (!isUtf8(bytes)) fail('a field in UTF-8', offset);
  return bytes.toString('utf8');
}

function fail(expected: string, offset: number): never {
  throw new Malformed(offset, expected);
}
