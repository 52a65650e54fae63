/**
 * Bucket bounds in seconds for LLM latencies: 5 ms doubling to 163.84 s. Wide enough for a first token from a cache and
 * for a long answer of a reasoning model.
 */
export const LATENCY_BUCKETS_SECONDS: readonly number[] = doubling(0.005, 16);

/** Bucket bounds in seconds that the GenAI conventions ask for: 10 ms doubling to 81.92 s. */
export const GEN_AI_BUCKETS_SECONDS: readonly number[] = doubling(0.01, 14);

/** Bucket bounds in bytes for bodies: 256 bytes, each four times the one before, to 64 MiB. */
export const SIZE_BUCKETS_BYTES: readonly number[] = Array.from(
  { length: 10 },
  (_, index) => 256 * 4 ** index,
);

function doubling(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Number((first * 2 ** index).toFixed(3)));
}
