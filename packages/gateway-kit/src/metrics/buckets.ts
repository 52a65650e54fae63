/**
 * Bucket bounds in seconds for LLM latencies: 5 ms doubling to 163.84 s. Wide enough for a first token from a cache and
 * for a long answer of a reasoning model.
 */
export const LATENCY_BUCKETS_SECONDS: readonly number[] = doubling(0.005, 16);

/** Bucket bounds in seconds that the GenAI conventions ask for: 10 ms doubling to 81.92 s. */
export const GEN_AI_BUCKETS_SECONDS: readonly number[] = doubling(0.01, 14);

function doubling(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Number((first * 2 ** index).toFixed(3)));
}
