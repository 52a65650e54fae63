// How values travel between two processes through a pipe.
import { DefaultDeserializer, DefaultSerializer } from 'node:v8';

/** Byte lengths of the head and of the columns, each in 32 bits. */
const PREFIX_BYTES = 8;
/** No element of a column is larger, so that a column may begin at any multiple of it. */
const ALIGNMENT = 8;

type Column = Uint8Array | Uint32Array | Float64Array;

const COLUMN_TYPES: readonly (new (memory: ArrayBufferLike, at: number, length: number) => Column)[] = [
  Uint8Array,
  Uint32Array,
  Float64Array,
];

/**
 * A value in the parts of a frame, to be written one after the other: prefix, head (the value as V8 serializes it), and
 * the memory of its columns, the typed arrays in it.
 *
 * @throws Error for what can't be cloned, such as a function.
 */
export function encodeFrame(value: unknown): Uint8Array[] {
  const writer = new HeadWriter();
  writer.writeHeader();
  writer.writeValue(value);
  const head = padded(writer.releaseBuffer());
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(lengthOf(head), 0);
  prefix.writeUInt32LE(writer.columnBytes, 4);
  return [prefix, ...head, ...writer.columns.flatMap(padded)];
}

/**
 * Puts frames together from the chunks of a stream. The columns of a value are views of one piece of shared memory:
 * V8 counts that of other buffers as pressure on the collector, which would then go over the whole heap every few
 * values, and hold up for tens of milliseconds whatever else the thread does.
 */
export class FrameReader {
  readonly #onValue: (value: unknown) => void;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #memory: Uint8Array = this.#prefix;
  #filled = 0;

  /** @param onValue - Called with each value, as soon as its last byte has come. */
  constructor(onValue: (value: unknown) => void) {
    this.#onValue = onValue;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + this.#memory.length - this.#filled);
      this.#memory.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.#memory.length) this.#full();
    }
  }

  #full(): void {
    const memory = this.#memory;
    const headBytes = this.#prefix.readUInt32LE(0);
    this.#filled = 0;
    if (memory === this.#prefix) {
      this.#memory = new Uint8Array(new SharedArrayBuffer(headBytes + this.#prefix.readUInt32LE(4)));
      return;
    }
    this.#memory = this.#prefix;
    const reader = new HeadReader(memory.subarray(0, headBytes), memory.subarray(headBytes));
    reader.readHeader();
    this.#onValue(reader.readValue());
  }
}

/** Puts columns aside and writes where they are. */
class HeadWriter extends DefaultSerializer {
  readonly columns: Uint8Array[] = [];
  columnBytes = 0;

  /** Called by V8 for each typed array. */
  _writeHostObject(column: Column): void {
    const type = COLUMN_TYPES.findIndex((one) => column instanceof one);
    if (type === -1) throw new TypeError('only columns of bytes, 32-bit integers and doubles can be sent');
    this.writeUint32(type);
    this.writeUint32(this.columnBytes);
    this.writeUint32(column.length);
    const memory = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    this.columns.push(memory);
    this.columnBytes += lengthOf(padded(memory));
  }
}

class HeadReader extends DefaultDeserializer {
  readonly #columns: Uint8Array;

  constructor(head: Uint8Array, columns: Uint8Array) {
    super(head);
    this.#columns = columns;
  }

  /** Called by V8 where a typed array was. */
  _readHostObject(): Column {
    const Type = COLUMN_TYPES[this.readUint32()] ?? Uint8Array;
    const at = this.#columns.byteOffset + this.readUint32();
    return new Type(this.#columns.buffer, at, this.readUint32());
  }
}

function padded(memory: Uint8Array): Uint8Array[] {
  const missing = -memory.length & (ALIGNMENT - 1);
  return missing === 0 ? [memory] : [memory, new Uint8Array(missing)];
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
