/// <reference lib="es2024.string" />
import { describeValue, OverlayContractError } from '../errors.ts';
import { pathText } from '../issues.ts';
import { PlainWriter } from './plain-writer.ts';

/** Deeper values are refused: recursion stays far from the end of the stack, and a cycle ends here too. */
const DEPTH_MAX = 1024;

/**
 * The RFC 8785 text of a value: keys sorted by UTF-16 code unit, no white space, numbers as ECMAScript prints them.
 * Two values that JSON considers equal have the same text.
 * @throws {@link OverlayContractError} `not_canonicalizable` for what JSON cannot carry: NaN and infinities, lone
 * surrogates, undefined, functions, symbols, bigints, sparse arrays, objects that are not plain, cycles.
 */
export function canonicalJson(value: unknown): string {
  return new PlainWriter().tryWrite(value) ?? writeValue(value, []);
}

/**
 * As {@link canonicalJson}, for a value that stands at `path` in a larger one; `path` is restored on return. The
 * thorough way: knows everything JSON cannot carry and says where it stands. {@link PlainWriter} is the fast twin.
 */
export function writeValue(value: unknown, path: PropertyKey[]): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw refused(value, path);
      return String(value); // -0 becomes "0" here, as the RFC wants
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (path.length >= DEPTH_MAX) throw refused(value, path, 'nested too deeply, or a cycle');
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      throw refused(value, path);
  }
}

function writeString(text: string, path: readonly PropertyKey[]): string {
  if (!text.isWellFormed()) throw refused(text, path, 'a string with a lone surrogate');
  return JSON.stringify(text); // escapes exactly what the RFC escapes, once surrogates are paired
}

function writeArray(array: readonly unknown[], path: PropertyKey[]): string {
  let text = '[';
  for (let index = 0; index < array.length; index++) {
    path.push(index);
    text += (index === 0 ? '' : ',') + writeValue(array[index], path);
    path.pop();
  }
  return `${text}]`;
}

function writeObject(object: object, path: PropertyKey[]): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null)
    throw refused(object, path, 'an object that is not plain');
  let text = '{';
  // The default sort compares UTF-16 code units, which is the RFC's order; localeCompare or code points are not.
  for (const key of Object.keys(object).sort()) {
    path.push(key);
    text += `${text === '{' ? '' : ','}${writeString(key, path)}:${writeValue((object as Record<string, unknown>)[key], path)}`;
    path.pop();
  }
  return `${text}}`;
}

function refused(value: unknown, path: readonly PropertyKey[], found?: string): OverlayContractError {
  const message = `found ${found ?? describeValue(value)}; expected what JSON can carry: null, booleans, finite numbers, well-formed strings, dense arrays, plain objects.`;
  return new OverlayContractError([{ code: 'not_canonicalizable', path: pathText(path), message }]);
}
