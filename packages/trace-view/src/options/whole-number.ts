import { TraceViewError } from '../errors.ts';

/** Between which a number must be, itself included. */
export interface WholeNumberBounds {
  readonly min: number;
  /** Default 2^40. */
  readonly max?: number;
}

/**
 * Checks a whole number within bounds.
 *
 * @throws {@link TraceViewError} `invalid_options`, naming the option.
 */
export function wholeNumber(name: string, value: number, bounds: WholeNumberBounds): number {
  const { min, max = 2 ** 40 } = bounds;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new TraceViewError(
    'invalid_options',
    `${name}: expected a whole number from ${min} to ${max}, found ${String(value)}`,
  );
}
