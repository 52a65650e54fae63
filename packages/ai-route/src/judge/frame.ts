// How values travel from one process to another through a pipe: the number of parts, the length of each, and the parts.
// The first is the value as V8 serializes it; the others are the memory of its columns, which are the typed arrays in it.
// Numbers are of 32 bits in the machine's own order, both ends being on the same one.
import { DefaultDeserializer, DefaultSerializer } from 'node:v8';

type Column = Uint8Array | Uint32Array | Float64Array;

const COLUMN_TYPES: readonly (new (memory: ArrayBufferLike, at: number, length: number) => Column)[] = [
  Uint8Array,
  Uint32Array,
  Float64Array,
];

/** More than any value has: a larger number is no number of parts, but something else that was written to the pipe. */
const PARTS_MAX = 1000;

/**
 * A value as pieces of memory to be written one after the other.
 *
 * @throws Error for what can't be sent: functions, other typed arrays, columns of 4 GiB, 1,000 columns.
 */
export function encodeFrame(value: unknown): Uint8Array[] {
  const writer = new HeadWriter();
  writer.writeHeader();
  writer.writeValue(value);
  const parts = [writer.releaseBuffer(), ...writer.columns];
  const tooLong = parts.find(({ length }) => length >= 2 ** 32);
  if (tooLong !== undefined)
    throw new RangeError(`a column of ${tooLong.length} bytes is too long to be sent`);
  if (parts.length > PARTS_MAX) throw new RangeError(`${parts.length - 1} columns are too many to be sent`);
  const lengths = Uint32Array.of(parts.length, ...parts.map(({ length }) => length));
  return [bytesOf(lengths), ...parts];
}

/** Puts frames together from the chunks of a stream. */
export class FrameReader {
  readonly #onValue: (value: unknown) => void;
  readonly #allocate: (bytes: number) => Uint8Array;
  readonly #frames: Iterator<Uint8Array, never>;
  #target: Uint8Array;
  #filled = 0;

  /**
   * @param onValue - Called with each value, as soon as its last byte has come.
   * @param allocate - Where the memory of a column comes from: each has its own, and so can be let go without the others.
   */
  constructor(
    onValue: (value: unknown) => void,
    allocate: (bytes: number) => Uint8Array = (bytes) => new Uint8Array(bytes),
  ) {
    this.#onValue = onValue;
    this.#allocate = allocate;
    this.#frames = this.#read();
    this.#target = this.#frames.next().value;
  }

  /** @throws Error when this is no frame, and whatever `onValue` throws. Then nothing more can be read. */
  push(chunk: Uint8Array): void {
    let at = 0;
    for (;;) {
      while (this.#filled === this.#target.length) {
        this.#target = this.#frames.next().value;
        this.#filled = 0;
      }
      if (at === chunk.length) return;
      const part = chunk.subarray(at, at + this.#target.length - this.#filled);
      this.#target.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
    }
  }

  /** Yields the memory to be filled next, and goes on when it is full. */
  *#read(): Generator<Uint8Array, never, void> {
    for (;;) {
      const count = new Uint32Array(1);
      yield bytesOf(count);
      const [parts = 0] = count;
      if (parts > PARTS_MAX) throw new RangeError(`no frame has ${parts} parts`);
      const lengths = new Uint32Array(parts);
      yield bytesOf(lengths);
      const [headBytes = 0, ...columnBytes] = lengths;
      const head = new Uint8Array(headBytes);
      yield head;
      const columns = columnBytes.map(this.#allocate);
      yield* columns;
      const reader = new HeadReader(head, columns);
      reader.readHeader();
      this.#onValue(reader.readValue());
    }
  }
}

/** Puts columns aside and writes their types instead. */
class HeadWriter extends DefaultSerializer {
  readonly columns: Uint8Array[] = [];

  /** Called by V8 for each typed array. */
  _writeHostObject(column: Column): void {
    const type = COLUMN_TYPES.findIndex((one) => column instanceof one);
    if (type === -1) throw new TypeError('only columns of bytes, 32-bit integers and doubles can be sent');
    this.writeUint32(type);
    this.columns.push(bytesOf(column));
  }
}

/** Puts columns back, in the order in which they were put aside. */
class HeadReader extends DefaultDeserializer {
  readonly #columns: readonly Uint8Array[];
  #read = 0;

  constructor(head: Uint8Array, columns: readonly Uint8Array[]) {
    super(head);
    this.#columns = columns;
  }

  /** Called by V8 where a typed array was. */
  _readHostObject(): Column {
    const Type = COLUMN_TYPES[this.readUint32()];
    const memory = this.#columns[this.#read++];
    if (Type === undefined || memory === undefined) throw new TypeError('this frame lacks a column');
    return new Type(memory.buffer, memory.byteOffset, memory.length / Type.prototype.BYTES_PER_ELEMENT);
  }
}

function bytesOf(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
