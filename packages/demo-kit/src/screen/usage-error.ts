/** A bad command line; its message ends in what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
