/** How much of live traffic retries may be. */
export interface RetryBudget {
  /** Share of the requests in flight. */
  readonly ratio: number;
  /** Retries that are allowed however few requests there are. */
  readonly minConcurrent: number;
}

/** Retries with every default filled in. */
export interface RetryPolicy {
  /** Candidates one request may try, the first included. */
  readonly attemptsMax: number;
  /** No further attempt starts later than this after the request did; 0 = no limit. */
  readonly withinMs: number;
  readonly budget: RetryBudget;
}

/** What is under way for one capability. */
export interface Load {
  /** Requests that have not ended. */
  readonly inFlight: number;
  /** Those of them that are past their first attempt. */
  readonly retrying: number;
}

/**
 * Whether one more request may go on to a second attempt. Retries are a share of live traffic, so that an outage, in
 * which every request fails, cannot multiply the load on whoever is left.
 */
export function withinBudget({ inFlight, retrying }: Load, { ratio, minConcurrent }: RetryBudget): boolean {
  return retrying < Math.max(minConcurrent, Math.floor(ratio * inFlight));
}
