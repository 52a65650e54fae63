import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { watchLines } from '../../src/source/config-map/watch-lines.ts';

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = cuts.map((cut) => cut % (bytes.byteLength + 1)).sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.byteLength]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}

async function collect(lines: AsyncIterable<Uint8Array>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(Buffer.from(line).toString('utf8'));
  return all;
}

describe('watchLines', () => {
  it('gives the same lines however the stream is cut, and drops an unfinished one', async () => {
    const line = fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.replaceAll('\n', ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(line), line, fc.array(fc.nat()), async (lines, rest, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join('') + rest);
        const expected = lines.map((text) => Buffer.from(text).toString('utf8'));
        expect(await collect(watchLines(pieces(bytes, cuts), 10_000))).toEqual(expected);
      }),
    );
  });

  it('a line that never ends is not kept without limit', async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(10, 'x');
    };
    await expect(collect(watchLines(endless(), 1000))).rejects.toMatchObject({ code: 'answer_too_large' });
  });
});
