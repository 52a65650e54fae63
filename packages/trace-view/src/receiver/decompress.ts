import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { OtlpError } from '../otlp/otlp-error.ts';

const gunzipBounded = promisify(gunzip);
const CHUNK_BYTES = 64 * 1024;

/**
 * Undoes gzip, and stops as soon as the result is larger than `maxBytes`: a small body can't become a large one.
 *
 * @throws {@link OtlpError} `too_large` or `malformed`.
 */
export async function decompress(body: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await gunzipBounded(body, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new OtlpError(
        'too_large',
        `the body is larger than ${maxBytes} bytes after decompression; send smaller batches`,
        { cause },
      );
    throw new OtlpError('malformed', `the body is not gzip: ${(cause as Error).message}`, { cause });
  }
}
