import { TraceViewError } from '../errors.ts';

/**
 * Checks a whole number within bounds.
 *
 * @throws {@link TraceViewError} `invalid_options`, naming the option.
 */
export function wholeNumber(name: string, value: number, min: number, max: number = 2 ** 40): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new TraceViewError(
    'invalid_options',
    `${name}: expected a whole number from ${min} to ${max}, found ${String(value)}`,
  );
}
