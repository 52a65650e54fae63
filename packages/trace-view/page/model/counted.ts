import type { VerdictDocument } from '../../src/page/state.ts';

/** Requests that the client has counted. The list of requests may be a moment ahead of it. */
export function countedOf(verdict: VerdictDocument | undefined): number {
  return Object.values(verdict?.counts.client ?? {}).reduce((sum, count) => sum + count, 0);
}
