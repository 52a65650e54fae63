/** Times and limits that both sides run with. No jitter: the reference would have to draw the same. */
export const LIMITS = {
  attempts: 3,
  withinMs: 5000,
  ratio: 0.5,
  minConcurrent: 1,
  failures: 3,
  ejectionMs: 1000,
  maxEjectionMs: 4000,
  retryAfterMaxMs: 2500,
  ttlMs: 20_000,
};
