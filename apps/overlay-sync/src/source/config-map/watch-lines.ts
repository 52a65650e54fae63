import { ApiError } from './api-error.ts';

const NEWLINE = 0x0a;

/**
 * Cuts a byte stream into lines. An unfinished last line is dropped: the stream was cut in the middle of an event.
 *
 * @throws {@link ApiError} `answer_too_large` when a line is longer than `bytesMax`.
 */
export async function* watchLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      parts.push(rest.subarray(0, end));
      const line = Buffer.concat(parts);
      if (line.byteLength > bytesMax) throw tooLarge(bytesMax);
      if (line.byteLength > 0) yield line;
      parts = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    length += rest.byteLength;
    if (length > bytesMax) throw tooLarge(bytesMax);
    // A copy: the chunk's memory may belong to a pool.
    if (rest.byteLength > 0) parts.push(Uint8Array.from(rest));
  }
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('answer_too_large', `a watch event has more than ${bytesMax} bytes`);
}
