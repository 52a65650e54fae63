/**
 * The machine's clock that only goes forward, in milliseconds.
 *
 * @internal
 */
export function systemMonotonicMs(): number {
  return performance.now();
}
