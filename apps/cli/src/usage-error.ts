/** A bad command line; its message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
