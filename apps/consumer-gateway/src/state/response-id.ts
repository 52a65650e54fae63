import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import { stringAtPath } from './string-at-path.ts';

/** Bytes of an answer that are looked at: the id stands in its first hundred. */
const PEEKED_BYTES_MAX = 16_384;

/** Most bytes that they may be decoded to. */
const DECODED_BYTES_MAX = 1_048_576;

/** What the head of an answer says of its body. */
export interface AnswerFormat {
  /** A stream of events instead of one JSON object. */
  readonly events: boolean;
  /** The `content-encoding`, in lower case; empty when there is none. */
  readonly encoding: string;
}

/**
 * Finds the id of a response of the Responses API in the first bytes of the answer that creates it. It only looks: what
 * is passed on is neither held up nor changed.
 */
export class ResponseIdPeek {
  readonly #format: AnswerFormat;
  readonly #found: (id: string) => void;
  #seen: Buffer = Buffer.alloc(0);
  #nextLook = 0;

  constructor(format: AnswerFormat, found: (id: string) => void) {
    this.#format = format;
    this.#found = found;
  }

  /** Takes one piece; false once it wants no more. */
  take(piece: Buffer): boolean {
    this.#seen = Buffer.concat([this.#seen, piece.subarray(0, PEEKED_BYTES_MAX - this.#seen.length)]);
    const { length } = this.#seen;
    const full = length >= PEEKED_BYTES_MAX;
    // Pieces may be single bytes; looking after each of them would cost the square.
    if (length < this.#nextLook && !full) return true;
    this.#nextLook = length * 1.25;
    const text = decoded(this.#seen, this.#format.encoding);
    const id = text === undefined ? undefined : responseIdIn(text, this.#format.events);
    if (id !== undefined) this.#found(id);
    return id === undefined && !full && text !== undefined;
  }
}

/** The id of the response that an answer carries, or the first event of it that carries any. */
function responseIdIn(text: string, events: boolean): string | undefined {
  if (!events) return stringAtPath(text, ['id']);
  // Line by line: an event that never ends would be read to the end of the text for each that begins inside it.
  for (const [, data = ''] of text.matchAll(/(?:^|[\r\n])data: ?([^\r\n]*)/g)) {
    const id = stringAtPath(data, ['response', 'id']);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Undefined for bytes that are not readable so far, and never will be. */
function decoded(bytes: Buffer, encoding: string): string | undefined {
  const limit = { maxOutputLength: DECODED_BYTES_MAX };
  try {
    switch (encoding) {
      case '':
      case 'identity':
        return bytes.toString('utf8');
      case 'gzip':
      case 'x-gzip':
      case 'deflate':
        return unzipSync(bytes, { ...limit, finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');
      case 'br':
        return brotliDecompressSync(bytes, {
          ...limit,
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
        }).toString('utf8');
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}
