import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/index.ts';
import { decodeJson } from '../../src/otlp/json/decode-json.ts';

const IDS = { traceId: '0AF7651916CD43DD8448EB211C80319C', spanId: 'b7ad6b7169203331' };

function decodeSpan(span: object): Span | undefined {
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...IDS, ...span }] }] }] };
  return decodeJson(Buffer.from(JSON.stringify(body)), 10_000).spans[0];
}
const attribute = (value: unknown): unknown =>
  decodeSpan({ attributes: [{ key: 'k', value }] })?.attributes['k'];

describe('decodeJson', () => {
  it('writes ids in lower case', () => {
    expect(decodeSpan({})).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      parentSpanId: null,
    });
  });

  it.each([
    ['1700000000123456789', 1_700_000_000_123_456_789n],
    [5, 5n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
  ])('takes %j as a time', (startTimeUnixNano, expected) => {
    expect(decodeSpan({ startTimeUnixNano })?.startNs).toBe(expected);
  });

  it.each([
    [{ intValue: '9007199254740993' }, '9007199254740993'],
    [{ intValue: '-7' }, -7],
    [{ intValue: 7 }, 7],
    [{ doubleValue: 'NaN' }, 'NaN'],
    [{ doubleValue: 0.25 }, 0.25],
    [{ bytesValue: 'AQID' }, 'AQID'],
    [{ bytesValue: '-_8' }, '+/8='],
    [{ stringValue: null, intValue: 3 }, 3],
    [{ valueOfALaterVersion: 3 }, null],
    [null, null],
    [{ kvlistValue: { values: [{ key: 'a', value: { boolValue: true } }] } }, { a: true }],
  ])('reads the value %j', (value, expected) => {
    expect(attribute(value)).toEqual(expected);
  });

  it.each([
    [{ name: 5 }, 'resourceSpans[0].scopeSpans[0].spans[0].name: expected a string, found 5'],
    [{ kind: 'SPAN_KIND_SERVER' }, 'spans[0].kind: expected the number of an enumeration'],
    [{ startTimeUnixNano: '1.5' }, 'startTimeUnixNano: expected an unsigned 64-bit integer, found "1.5"'],
    [{ startTimeUnixNano: -1 }, 'found -1'],
    [{ startTimeUnixNano: '18446744073709551616' }, 'expected an unsigned 64-bit integer'],
    [{ attributes: {} }, 'spans[0].attributes: expected an array, found an object'],
    [{ attributes: [7] }, 'spans[0].attributes[0]: expected an object, found 7'],
    [
      { attributes: [{ key: 'k', value: { intValue: 'x' } }] },
      'attributes[0].intValue: expected a 64-bit integer',
    ],
    [{ attributes: [{ key: 'k', value: { bytesValue: '*' } }] }, 'bytesValue: expected base64'],
    [{ attributes: [{ key: 'k', value: { boolValue: 1 } }] }, 'boolValue: expected a boolean, found 1'],
    [{ events: [{ timeUnixNano: true }] }, 'spans[0].events[0].timeUnixNano: expected'],
  ])('refuses %j and names the place', (span, message) => {
    expect(() => decodeSpan(span)).toThrow(expect.objectContaining({ code: 'malformed' }));
    expect(() => decodeSpan(span)).toThrow(message);
  });

  it.each([
    ['no JSON', '{"resourceSpans":', 'not a JSON text'],
    ['an array', '[]', 'the body: expected an object, found an array'],
    ['null', 'null', 'the body: expected an object'],
    ['a deep nest', '['.repeat(100_000), 'nested more than 128 deep'],
    ['many small values', `{"x":[${'[],'.repeat(200_000)}[]]}`, 'send smaller batches'],
  ])('refuses %s', (_name, text, message) => {
    expect(() => decodeJson(Buffer.from(text), 10_000)).toThrow(message);
  });

  it('refuses a text that is not UTF-8', () => {
    expect(() => decodeJson(Buffer.from([0x7b, 0xff, 0x7d]), 10_000)).toThrow('not UTF-8');
  });

  it('quotes, brackets and commas inside strings do not count as structure', () => {
    const name = '"[{,:\\'.repeat(50_000);
    expect(decodeSpan({ name })?.name).toBe(name);
  });

  it('an attribute named __proto__ is an ordinary one', () => {
    const span = decodeSpan({ attributes: [{ key: '__proto__', value: { stringValue: 'plain' } }] });
    expect(Object.entries(span?.attributes ?? {})).toEqual([['__proto__', 'plain']]);
  });
});
