/** What the exit code answers, as test(1), grep(1) and diff(1) do. */
export const EXIT = {
  /** Valid, agreeing, the same, served. */
  yes: 0,
  /** Invalid, disagreeing, different, served by nobody. */
  no: 1,
  /** No answer: bad command line, unreadable input; for `diff` also an invalid document. */
  trouble: 2,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
