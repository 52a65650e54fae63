import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from '../../src/otlp/protobuf/decode-protobuf.ts';
import { exportOf, field, spanMessage, varint, varintField } from '../support/protobuf-writer.ts';

const decode = (body: Buffer, maxValues = 1_000): ReturnType<typeof decodeProtobuf> =>
  decodeProtobuf(body, maxValues);

/** An attribute whose value is nested `depth` arrays deep. */
function nested(depth: number): Buffer {
  let value = field(1, 'inside');
  for (let level = 0; level < depth; level++) value = field(5, field(1, value));
  return field(9, Buffer.concat([field(1, 'deep'), field(2, value)]));
}

describe('decodeProtobuf', () => {
  it('reads nothing as an export without spans', () => {
    expect(decode(Buffer.alloc(0)).spans).toEqual([]);
  });

  it.each([
    ['a varint without an end', Buffer.from([0x0a, 0xff])],
    [
      'a varint of eleven bytes',
      Buffer.concat([Buffer.from([0x08]), Buffer.alloc(10, 0xff), Buffer.from([1])]),
    ],
    ['a length past the end', Buffer.from([0x0a, 0x7f, 0x01])],
    ['a length of 2^32 + 1', Buffer.concat([Buffer.from([0x0a]), varint(2n ** 32n + 1n), Buffer.alloc(9)])],
    ['a negative length', Buffer.concat([Buffer.from([0x0a]), varint(-1n), Buffer.alloc(9)])],
    ['a message that ends inside its last field', exportOf(Buffer.from([0x09, 1, 2, 3]))],
    ['field number 0', Buffer.from([0x02, 0x00])],
    ['a group', Buffer.from([0x0b, 0x0c])],
    ['wire type 7', Buffer.from([0x0f, 0x00])],
    ['an inner length that passes the outer message', field(1, Buffer.from([0x12, 0x40, 0x00]))],
  ])('refuses %s as malformed', (_name, body) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'malformed' }));
  });

  it('every cut of a valid message is refused or read, never more', () => {
    const body = exportOf(spanMessage(field(5, 'name'), nested(3), varintField(6, 2)));
    for (let length = 1; length < body.length; length++)
      expect(() => decode(body.subarray(0, length))).toThrow(expect.objectContaining({ code: 'malformed' }));
    expect(decode(body).spans).toHaveLength(1);
  });

  it('skips a known field number with another wire type, as an unknown field', () => {
    expect(decode(exportOf(spanMessage(varintField(5, 7)))).spans[0]?.name).toBe('');
  });

  it('refuses values nested too deep, and reads those that are not', () => {
    expect(decode(exportOf(spanMessage(nested(16)))).spans).toHaveLength(1);
    expect(() => decode(exportOf(spanMessage(nested(17))))).toThrow('nested more than 16 deep');
    expect(() => decode(exportOf(spanMessage(nested(500))))).toThrow('nested more than 16 deep');
  });

  it('refuses more values than allowed before it has made them', () => {
    const attributes = Buffer.alloc(2_000_000, Buffer.from([0x4a, 0x00]));
    expect(() => decode(exportOf(spanMessage(attributes)), 50_000)).toThrow(
      expect.objectContaining({ code: 'too_large', message: expect.stringContaining('50000') as unknown }),
    );
    const spans = Buffer.alloc(2_000_000, Buffer.from([0x12, 0x00]));
    expect(() => decode(field(1, field(2, spans)), 50_000)).toThrow('send smaller batches');
    const resources = Buffer.alloc(2_000_000, Buffer.from([0x0a, 0x00]));
    expect(() => decode(resources, 50_000)).toThrow('send smaller batches');
  });

  it('a span without usable ids is counted and named, its neighbours are kept', () => {
    const withoutIds = field(5, 'no ids');
    const result = decode(exportOf(spanMessage(), withoutIds, withoutIds));
    expect(result).toMatchObject({
      rejected: 2,
      reason: expect.stringContaining('traceId "" is not 32 hex digits') as unknown,
    });
    expect(result.spans).toHaveLength(1);
  });

  it('text that is not UTF-8 becomes replacement characters', () => {
    expect(decode(exportOf(spanMessage(field(5, Buffer.from([0xff, 0x41]))))).spans[0]?.name).toBe('\ufffdA');
  });
});
