import type { AttributeValue } from '../../model/span.ts';
import { type Budget, checkDepth } from '../decode/budget.ts';
import { doubleOf, integerOf, type OpenAttributes, setAttribute } from '../decode/values.ts';
import { each, inside, int64Of, type JsonObject, objectOf, stringOf, wrong } from './json-fields.ts';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Reads attributes, one {@link Budget} value each. */
export class AttributeReader {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Reads the list of `KeyValue`s that stands in `field`. */
  list(value: unknown, field = 'attributes', depth = 0): OpenAttributes {
    const attributes: OpenAttributes = {};
    each(value, field, (pair) => {
      this.#budget.spend();
      const given = objectOf(pair['value'], 'value');
      setAttribute(attributes, stringOf(pair['key'], 'key'), this.#value(given, depth));
    });
    return attributes;
  }

  #value(value: JsonObject | undefined, depth: number): AttributeValue {
    checkDepth(depth);
    let read: AttributeValue = null;
    // A message has at most one of them; like in protobuf, of several the last one stands.
    for (const kind in value) {
      const given = value[kind];
      if (given !== undefined && given !== null) read = this.#member(kind, given, depth) ?? read;
    }
    return read;
  }

  #member(kind: string, given: unknown, depth: number): AttributeValue | undefined {
    switch (kind) {
      case 'stringValue':
        return stringOf(given, kind);
      case 'boolValue':
        return typeof given === 'boolean' ? given : wrong(kind, 'a boolean', given);
      case 'intValue':
        return integerOf(int64Of(given, kind));
      case 'doubleValue':
        return readDouble(given);
      case 'bytesValue':
        return readBytes(stringOf(given, kind));
      case 'arrayValue':
        return this.#array(objectOf(given, kind)?.['values'], depth + 1);
      case 'kvlistValue':
        return this.#keyValues(objectOf(given, kind)?.['values'], depth + 1);
      default:
        return undefined;
    }
  }

  #array(values: unknown, depth: number): AttributeValue[] {
    const array: AttributeValue[] = [];
    try {
      each(values, 'values', (item) => {
        this.#budget.spend();
        array.push(this.#value(item, depth));
      });
    } catch (error) {
      throw inside('arrayValue', error);
    }
    return array;
  }

  #keyValues(values: unknown, depth: number): OpenAttributes {
    try {
      return this.list(values, 'values', depth);
    } catch (error) {
      throw inside('kvlistValue', error);
    }
  }
}

function readDouble(given: unknown): AttributeValue {
  if (typeof given === 'number') return doubleOf(given);
  if (given === 'NaN' || given === 'Infinity' || given === '-Infinity') return given;
  return wrong('doubleValue', 'a number, "NaN", "Infinity" or "-Infinity"', given);
}

function readBytes(text: string): string {
  if (!BASE64.test(text)) wrong('bytesValue', 'base64', text);
  return Buffer.from(text, 'base64').toString('base64');
}
