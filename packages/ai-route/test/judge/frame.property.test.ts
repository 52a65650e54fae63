import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameReader } from '../../src/judge/frame.ts';

type Open = (onValue: (value: unknown) => void) => { push(chunk: Uint8Array): void };

const column = fc.oneof(
  fc.array(fc.nat(255)).map((numbers) => Uint8Array.from(numbers)),
  fc.array(fc.nat()).map((numbers) => Uint32Array.from(numbers)),
  fc.array(fc.double()).map((numbers) => Float64Array.from(numbers)),
  // A view into the middle of more memory.
  fc.array(fc.nat(), { minLength: 3 }).map((numbers) => Uint32Array.from(numbers).subarray(1, -1)),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, undefined, Number.NaN, -0, 'ü\u{1f600}'),
    fc.string(),
    fc.double(),
    column,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
}));

/** Values come out as they went in, wherever the stream is cut. */
function arriveWhole(open: Open) {
  return fc.property(
    fc.array(value, { minLength: 1, maxLength: 5 }),
    fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }),
    (values, sizes) => {
      const stream = Buffer.concat(values.flatMap(encodeFrame));
      const arrived: unknown[] = [];
      const reader = open((one) => arrived.push(one));
      for (let at = 0, cut = 0; at < stream.length; cut++) {
        const size = sizes[cut % sizes.length] ?? 1;
        reader.push(stream.subarray(at, at + size));
        at += size;
      }
      // Equality looks at the numbers of a column, not at where they are.
      expect(arrived).toEqual(values);
    },
  );
}

describe('frames', () => {
  it('arrive whole and in order, wherever the stream is cut', () => {
    fc.assert(arriveWhole((onValue) => new FrameReader(onValue)));
  });

  it('that property catches a reader that takes each chunk for a beginning', () => {
    const forgetful: Open = (onValue) => ({ push: (chunk) => new FrameReader(onValue).push(chunk) });
    expectCaught(() => fc.assert(arriveWhole(forgetful)));
  });

  it('bring each column in memory of its own, from where the reader is told', () => {
    const pieces: Uint8Array[] = [];
    const allocate = (bytes: number): Uint8Array => {
      const piece = new Uint8Array(new SharedArrayBuffer(bytes));
      pieces.push(piece);
      return piece;
    };
    let arrived: unknown;
    const reader = new FrameReader((one) => {
      arrived = one;
    }, allocate);
    const sent = { bytes: Buffer.from('odd'), numbers: Float64Array.of(1, 2) };
    for (const part of encodeFrame(sent)) reader.push(part);
    const { bytes, numbers } = arrived as { bytes: Uint8Array; numbers: Float64Array };
    expect([[...bytes], [...numbers]]).toEqual([[...sent.bytes], [1, 2]]);
    expect(pieces.map(({ buffer }) => buffer)).toEqual([bytes.buffer, numbers.buffer]);
  });

  it('that are none are refused', () => {
    for (const bytes of ['01000000020000007a7a', 'e9030000', 'ffffffff']) {
      const reader = new FrameReader(() => undefined);
      expect(() => reader.push(Buffer.from(bytes, 'hex'))).toThrow();
    }
  });

  it('can not be made of what can not be sent', () => {
    expect(() => encodeFrame({ call: () => undefined })).toThrow();
    expect(() => encodeFrame(Int16Array.of(1))).toThrow('only columns of');
    expect(() => encodeFrame(Array.from({ length: 1000 }, () => new Uint8Array()))).toThrow('too many');
  });
});
