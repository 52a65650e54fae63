import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson } from '../../src/otlp/json/decode-json.ts';
import { OtlpError } from '../../src/otlp/otlp-error.ts';
import { decodeProtobuf } from '../../src/otlp/protobuf/decode-protobuf.ts';
import { exportMessages, toJson, toProtobuf } from '../support/otlp-messages.ts';

const MAX_VALUES = 10_000;

/** What is meant by "equal": a reader that rounds 64-bit integers is caught by it. */
function sameInBoth(read: (body: Buffer) => unknown): void {
  fc.assert(
    fc.property(exportMessages, (message) => {
      expect(read(toProtobuf(message))).toEqual(decodeJson(Buffer.from(toJson(message)), MAX_VALUES));
    }),
    { numRuns: 300 },
  );
}

describe('one message in both encodings', () => {
  it('is read the same', () => {
    sameInBoth((body) => decodeProtobuf(body, MAX_VALUES));
  });

  it('a reader that rounds times to doubles is caught', () => {
    const rounding = (body: Buffer): unknown => {
      const { spans, rejected, reason } = decodeProtobuf(body, MAX_VALUES);
      const rounded = spans.map((span) => ({ ...span, startNs: BigInt(Number(span.startNs)) }));
      return { spans: rounded, rejected, reason };
    };
    expect(() => sameInBoth(rounding)).toThrow('Property failed');
  });
});

describe('hostile bytes', () => {
  const neverThrowsAnythingElse = (decode: (body: Buffer) => unknown, body: Buffer): void => {
    try {
      decode(body);
    } catch (error) {
      expect(error).toBeInstanceOf(OtlpError);
      expect(['malformed', 'too_large']).toContain((error as OtlpError).code);
    }
  };

  it('protobuf: random bytes, and valid messages with bytes changed, cut or repeated, only ever give an OtlpError', () => {
    const mutated = fc
      .record({
        message: exportMessages,
        cut: fc.nat(),
        edits: fc.array(fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) }), {
          maxLength: 8,
        }),
      })
      .map(({ message, cut, edits }) => {
        const body = toProtobuf(message);
        for (const { at, byte } of edits) body[at % Math.max(1, body.length)] = byte;
        return cut % 3 === 0 ? body.subarray(0, cut % (body.length + 1)) : body;
      });
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(mutated, random), (body) =>
        neverThrowsAnythingElse((bytes) => decodeProtobuf(bytes, MAX_VALUES), body),
      ),
      { numRuns: 1_500 },
    );
  });

  it('JSON: any JSON value, and any text, only ever gives an OtlpError', () => {
    const names = fc.constantFrom(
      'resourceSpans',
      'scopeSpans',
      'spans',
      'attributes',
      'value',
      'traceId',
      'values',
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8 },
        fc.jsonValue(),
        fc.array(tie('tree'), { maxLength: 2 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    const texts = fc.oneof(
      tree.map((value) => JSON.stringify(value)),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (text) =>
        neverThrowsAnythingElse((bytes) => decodeJson(bytes, MAX_VALUES), Buffer.from(text)),
      ),
      { numRuns: 1_500 },
    );
  });
});
