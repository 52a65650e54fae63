import type { IncomingMessage } from 'node:http';
import { OtlpError } from '../otlp/otlp-error.ts';
import type { InFlight } from './in-flight.ts';

/** Bounds of {@link readBody}. */
export interface ReadBodyOptions {
  readonly maxBytes: number;
  /** Counts what is read; on success the caller gives the body's bytes back, else they are given back here. */
  readonly inFlight: InFlight;
}

/**
 * Reads a whole body; undefined when the client left before its end.
 *
 * @throws {@link OtlpError} `too_large` (at once when the announced length says so) or `overloaded`. The rest of the
 * body is not read then: see `refuse`.
 */
export function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<Buffer | undefined> {
  const { maxBytes, inFlight } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      request.pause();
    };
    const fail = (error: OtlpError): void => {
      stop();
      inFlight.give(bytes);
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      if (bytes + chunk.length > maxBytes) fail(tooLarge(maxBytes));
      else if (!inFlight.take(chunk.length)) fail(overloaded());
      else {
        bytes += chunk.length;
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    };
    const onClose = (): void => {
      stop();
      inFlight.give(bytes);
      resolve(undefined);
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) reject(tooLarge(maxBytes));
    else request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(maxBytes: number): OtlpError {
  return new OtlpError('too_large', `the body is larger than ${maxBytes} bytes; send smaller batches`);
}

function overloaded(): OtlpError {
  return new OtlpError('overloaded', 'too many exports are being read at once; send this one again later');
}
