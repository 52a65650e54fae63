import type { AttributeValue } from '../../model/span.ts';
import { checkDepth } from '../decode/budget.ts';
import { doubleOf, integerOf, type OpenAttributes, setAttribute } from '../decode/values.ts';
import type { WireReader } from './wire-reader.ts';

// Tags are `field number << 3 | wire type` of opentelemetry/proto/common/v1/common.proto.

/** Reads a `KeyValue` and sets it. */
export function readAttribute(reader: WireReader, into: OpenAttributes, depth = 0): void {
  reader.budget.spend();
  const outer = reader.enter();
  let key = '';
  let value: AttributeValue = null;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) key = reader.text();
    else if (tag === 18) value = readValue(reader, depth);
    else reader.skip(tag);
  }
  reader.leave(outer);
  setAttribute(into, key, value);
}

function readValue(reader: WireReader, depth: number): AttributeValue {
  checkDepth(depth);
  const outer = reader.enter();
  let value: AttributeValue = null;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 10:
        value = reader.text();
        break;
      case 16:
        value = reader.int64() !== 0n;
        break;
      case 24:
        value = reader.safeInteger() ?? integerOf(reader.int64());
        break;
      case 33:
        value = doubleOf(reader.double());
        break;
      case 42:
        value = readArray(reader, depth + 1);
        break;
      case 50:
        value = readKeyValueList(reader, depth + 1);
        break;
      case 58:
        value = reader.bytes('base64');
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outer);
  return value;
}

function readArray(reader: WireReader, depth: number): AttributeValue[] {
  const outer = reader.enter();
  const values: AttributeValue[] = [];
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) {
      reader.budget.spend();
      values.push(readValue(reader, depth));
    } else reader.skip(tag);
  }
  reader.leave(outer);
  return values;
}

function readKeyValueList(reader: WireReader, depth: number): OpenAttributes {
  const outer = reader.enter();
  const values: OpenAttributes = {};
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) readAttribute(reader, values, depth);
    else reader.skip(tag);
  }
  reader.leave(outer);
  return values;
}
