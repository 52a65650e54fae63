import { wholeNumber } from '../options/whole-number.ts';

/** Bounds of a {@link TraceStore}. */
export interface TraceStoreOptions {
  /** Most traces kept. Default 5000. */
  readonly maxTraces?: number;
  /** Most spans kept, of all traces together. Default 200000. */
  readonly maxSpans?: number;
  /** Most memory that the spans may take, estimated, in bytes. Default 256 MiB. */
  readonly maxBytes?: number;
  /** Most spans of one trace; more are refused. Default 10000. */
  readonly maxSpansPerTrace?: number;
  /** Most memory of one trace, estimated, in bytes; spans past it are refused. Default a quarter of `maxBytes`. */
  readonly maxBytesPerTrace?: number;
  /**
   * What happens at a bound. `evict` (default): the trace whose first span came earliest leaves, whole. `refuse`:
   * nothing leaves, and the receiver answers 429 until {@link TraceStore.clear} was called.
   */
  readonly whenFull?: 'evict' | 'refuse';
}

/** {@link TraceStoreOptions} with nothing missing. */
export type ResolvedStoreOptions = Required<TraceStoreOptions>;

/** @throws {@link TraceViewError} `invalid_options`. */
export function resolveStoreOptions(options: TraceStoreOptions = {}): ResolvedStoreOptions {
  const maxSpans = wholeNumber('store.maxSpans', options.maxSpans ?? 200_000, { min: 1 });
  const maxBytes = wholeNumber('store.maxBytes', options.maxBytes ?? 256 * 1024 * 1024, { min: 1 });
  const perTrace = options.maxSpansPerTrace ?? Math.min(10_000, maxSpans);
  return {
    maxTraces: wholeNumber('store.maxTraces', options.maxTraces ?? 5_000, { min: 1 }),
    maxSpans,
    maxBytes,
    maxSpansPerTrace: wholeNumber('store.maxSpansPerTrace', perTrace, { min: 1, max: maxSpans }),
    maxBytesPerTrace: wholeNumber(
      'store.maxBytesPerTrace',
      options.maxBytesPerTrace ?? Math.ceil(maxBytes / 4),
      { min: 1, max: maxBytes },
    ),
    whenFull: options.whenFull ?? 'evict',
  };
}
