// Writes the protobuf wire format by hand: what exporters would never send can be sent too.

/** A varint of any size. */
export function varint(value: bigint | number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** A length-delimited field. */
export function field(number: number, content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

/** A varint field. */
export function varintField(number: number, value: bigint | number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

/** An eight-byte field. */
export function fixed64Field(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

/** A double field. */
export function doubleField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

/** An export of these `Span` messages, resource and scope without anything. */
export function exportOf(...spans: readonly Buffer[]): Buffer {
  return field(1, field(2, Buffer.concat(spans.map((span) => field(2, span)))));
}

/** A `Span` with valid ids and these further fields. */
export function spanMessage(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat([field(1, Buffer.alloc(16, 0xab)), field(2, Buffer.alloc(8, 0xcd)), ...fields]);
}
