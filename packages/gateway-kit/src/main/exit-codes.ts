/** What a process of this project tells its parent when it ends. Signals add 128, as shells do. */
export const EXIT_CODES = {
  ok: 0,
  failure: 1,
  usage: 2,
  badConfig: 3,
  /** Used by the demos only: a proof did not hold. */
  proofFailed: 4,
  portInUse: 5,
} as const;
