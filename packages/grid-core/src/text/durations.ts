import { GridCoreError } from '../errors.ts';

/** A whole number of seconds or milliseconds, as manifests write it: `10s`, `500ms`. */
export const DURATION_PATTERN: RegExp = /^([1-9][0-9]{0,8})(ms|s)$/;

/**
 * Reads a duration text such as `2s` or `500ms`.
 *
 * @returns milliseconds, at least 1.
 * @throws {@link GridCoreError} `invalid_duration` for anything else: no unit, zero, a fraction, another unit.
 */
export function parseDurationMs(text: string): number {
  const match = DURATION_PATTERN.exec(text);
  if (match === null) {
    throw new GridCoreError(
      'invalid_duration',
      `${JSON.stringify(text)} is not a duration: expected a whole number above 0 with the unit s or ms, such as 2s or 500ms`,
    );
  }
  return Number(match[1]) * (match[2] === 's' ? 1000 : 1);
}
