import type { Span } from '../model/span.ts';
import { wholeNumber } from '../options/whole-number.ts';

/** The two encodings of OTLP over HTTP. */
export type OtlpEncoding = 'protobuf' | 'json';

/** One export that was read, before it is answered. */
export interface ReceivedExport {
  readonly encoding: OtlpEncoding;
  /** The message as it came, decompressed. */
  readonly body: Buffer;
  readonly spans: readonly Span[];
}

/** Limits of the receiver, and who gets the exports. */
export interface ReceiverOptions {
  /** Encodings that are taken; others get a 415. Default both. */
  readonly encodings?: readonly OtlpEncoding[];
  /** Largest body, as it comes over the wire. Bytes, default 16 MiB. */
  readonly maxBodyBytes?: number;
  /** Largest body after decompression. Bytes, default 16 MiB. */
  readonly maxDecodedBytes?: number;
  /** Most bytes of bodies in memory that are not stored yet; past it exports get a 429. Bytes, default 64 MiB. */
  readonly maxInFlightBytes?: number;
  /** Most spans, attributes, events, links and array elements of one export together. Default 250000. */
  readonly maxValues?: number;
  /** What a 429 or 503 asks the exporter to wait. Seconds, default 1. */
  readonly retryAfterSeconds?: number;
  /**
   * Keeps an export before it is answered: one call at a time, in the order of arrival. When it throws, the export is
   * not stored and the exporter gets a 503, so that it sends it again.
   */
  readonly onExport?: (received: ReceivedExport) => void | Promise<void>;
}

/** {@link ReceiverOptions} with nothing missing. */
export type ResolvedReceiverOptions = Required<ReceiverOptions>;

const MEBIBYTE = 1024 * 1024;

/** @throws {@link TraceViewError} `invalid_options`. */
export function resolveReceiverOptions(options: ReceiverOptions = {}): ResolvedReceiverOptions {
  const bytes = (name: keyof ReceiverOptions, value: number): number =>
    wholeNumber(`receiver.${name}`, value, { min: 1, max: 2 ** 30 });
  return {
    encodings: options.encodings ?? ['protobuf', 'json'],
    maxBodyBytes: bytes('maxBodyBytes', options.maxBodyBytes ?? 16 * MEBIBYTE),
    maxDecodedBytes: bytes('maxDecodedBytes', options.maxDecodedBytes ?? 16 * MEBIBYTE),
    maxInFlightBytes: bytes('maxInFlightBytes', options.maxInFlightBytes ?? 64 * MEBIBYTE),
    maxValues: wholeNumber('receiver.maxValues', options.maxValues ?? 250_000, { min: 1, max: 2 ** 30 }),
    retryAfterSeconds: wholeNumber('receiver.retryAfterSeconds', options.retryAfterSeconds ?? 1, {
      min: 0,
      max: 3600,
    }),
    onExport: options.onExport ?? (() => undefined),
  };
}
