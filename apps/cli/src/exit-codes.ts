/** What the exit code answers: yes or no, as test(1), grep(1) and diff(1) do, or why there is no answer. */
export const EXIT = {
  /** Valid, agreeing, the same, served. */
  yes: 0,
  /** Invalid, disagreeing, different, served by nobody. */
  no: 1,
  /** A command line that asks for nothing there is. */
  usage: 2,
  /** An input that can't be read; for every command but `validate`, also one that can't be worked on. */
  badInput: 3,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
