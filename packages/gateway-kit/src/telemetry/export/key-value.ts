import type { AttributeValue } from '@opentelemetry/api';
import { ByteWriter } from './byte-writer.ts';

// Tags of AnyValue and KeyValue: field number * 8 + wire type.
const STRING = 0x0a;
const BOOLEAN = 0x10;
const INTEGER = 0x18;
const DOUBLE = 0x21;
const KEY = 0x0a;
const VALUE = 0x12;

/**
 * One attribute as a field `tag` of type KeyValue, with its length before it. Undefined for what attributes of ours
 * never are: a list, or an integer below zero or beyond 2^53.
 */
export function encodeKeyValue(tag: number, key: string, value: AttributeValue): Uint8Array | undefined {
  const any = anyValue(value);
  if (any === undefined) return undefined;
  const pair = new ByteWriter(64);
  field(pair, KEY, Buffer.from(key));
  field(pair, VALUE, any);
  const whole = new ByteWriter(pair.length + 8);
  field(whole, tag, pair.bytes());
  return Uint8Array.from(whole.bytes());
}

/** Tag, length, bytes. */
export function field(out: ByteWriter, tag: number, bytes: Uint8Array): void {
  out.byte(tag);
  out.varint(bytes.length);
  out.raw(bytes);
}

function anyValue(value: AttributeValue): Uint8Array | undefined {
  const out = new ByteWriter(32);
  if (typeof value === 'string') field(out, STRING, Buffer.from(value));
  else if (typeof value === 'boolean') {
    out.byte(BOOLEAN);
    out.byte(value ? 1 : 0);
  } else if (typeof value === 'number') {
    if (Number.isInteger(value)) {
      if (value < 0 || value > Number.MAX_SAFE_INTEGER) return undefined;
      out.byte(INTEGER);
      out.varint(value);
    } else {
      out.byte(DOUBLE);
      const double = Buffer.alloc(8);
      double.writeDoubleLE(value);
      out.raw(double);
    }
  } else return undefined;
  return out.bytes();
}
