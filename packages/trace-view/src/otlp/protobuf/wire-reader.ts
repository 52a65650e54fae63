import type { Budget } from '../decode/budget.ts';
import { OtlpError } from '../otlp-error.ts';

// Hot: runs once per field of every span. See bench/receive.bench.ts.

/** Wire types of protobuf. Groups (3, 4) do not occur in proto3 and are refused. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Below this many bytes a loop is faster than a call into the engine's decoder. */
const SHORT_TEXT = 24;

/**
 * Reads the protobuf wire format from a buffer, never past its end and never past the message it is in. It allocates
 * nothing but the values it is asked for.
 *
 * Every method throws {@link OtlpError} `malformed` when the bytes are not what they should be.
 */
export class WireReader {
  /** What the messages read may still make; spent by those who read them. */
  readonly budget: Budget;
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #position = 0;
  #limit: number;
  #high = 0;

  constructor(bytes: Buffer, budget: Budget) {
    this.budget = budget;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limit = bytes.byteLength;
  }

  /** Where the next byte is read. May be given to {@link rewind} while the same message is open. */
  get position(): number {
    return this.#position;
  }

  /** Goes back to a position of the message that is open. */
  rewind(position: number): void {
    this.#position = position;
  }

  /** The tag of the next field (`number << 3 | wire type`), or 0 at the end of the message. */
  tag(): number {
    if (this.#position === this.#limit) return 0;
    const tag = this.uint32();
    if (tag >>> 3 === 0) this.#fail('field number 0');
    return tag;
  }

  /** Opens the message that comes next; returns what {@link leave} needs. */
  enter(): number {
    const length = this.#length();
    const outer = this.#limit;
    this.#limit = this.#position + length;
    return outer;
  }

  /** Closes the message that {@link enter} opened, and goes behind its end. */
  leave(outer: number): void {
    this.#position = this.#limit;
    this.#limit = outer;
  }

  /** A varint of which only the low 32 bits matter (enumerations, tags, booleans, lengths). */
  uint32(): number {
    const byte = this.#byte();
    if (byte < 0x80) {
      this.#high = 0;
      return byte;
    }
    return this.#longVarint(byte);
  }

  /** A varint as signed 64-bit integer. */
  int64(): bigint {
    const low = this.uint32();
    return BigInt.asIntN(64, (BigInt(this.#high) << 32n) | BigInt(low));
  }

  /** A signed 64-bit varint when it is exact as a number, else undefined and the position stays. */
  safeInteger(): number | undefined {
    const start = this.#position;
    const low = this.uint32();
    const value = (this.#high | 0) * 0x1_0000_0000 + low;
    if (Number.isSafeInteger(value)) return value;
    this.#position = start;
    return undefined;
  }

  /** Eight bytes as unsigned integer. */
  fixed64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  /** Eight bytes as double. */
  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** Length-delimited UTF-8. What is not UTF-8 becomes U+FFFD. */
  text(): string {
    const length = this.#length();
    const start = this.#take(length);
    if (length > SHORT_TEXT) return this.#bytes.toString('utf8', start, start + length);
    let text = '';
    for (let at = start; at < start + length; at++) {
      const byte = this.#bytes[at] ?? 0;
      if (byte >= 0x80) return this.#bytes.toString('utf8', start, start + length);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Length-delimited bytes, written as hex or base64. */
  bytes(encoding: 'hex' | 'base64'): string {
    const length = this.#length();
    const start = this.#take(length);
    return this.#bytes.toString(encoding, start, start + length);
  }

  /** Goes past the value of a field that nobody asked for. */
  skip(tag: number): void {
    const type = tag & 7;
    if (type === VARINT) this.uint32();
    else if (type === FIXED64) this.#take(8);
    else if (type === BYTES) this.#take(this.#length());
    else if (type === FIXED32) this.#take(4);
    else this.#fail(`wire type ${type}`);
  }

  #length(): number {
    const length = this.uint32();
    // A length above 2^32 must not pass as its low half.
    if (this.#high !== 0 || length > this.#limit - this.#position)
      this.#fail('a length that goes past the end of its message');
    return length;
  }

  #byte(): number {
    if (this.#position >= this.#limit) this.#fail('the end of the message in the middle of a value');
    const byte = this.#bytes[this.#position] ?? 0;
    this.#position += 1;
    return byte;
  }

  #take(length: number): number {
    const start = this.#position;
    if (length > this.#limit - start) this.#fail('the end of the message in the middle of a value');
    this.#position = start + length;
    return start;
  }

  #longVarint(first: number): number {
    let low = first & 0x7f;
    let high = 0;
    for (let shift = 7; shift < 70; shift += 7) {
      const byte = this.#byte();
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#high = high >>> 0;
        return low >>> 0;
      }
    }
    return this.#fail('a varint of more than 10 bytes');
  }

  #fail(found: string): never {
    throw new OtlpError('malformed', `not a protobuf message: at byte ${this.#position} there is ${found}`);
  }
}
