import type { Results } from '../records/types.ts';

/** What a run came to, in one line: `60 requests, 20/20/20, round_robin`. */
export function summaryOf({ requests, counts, policy }: Results): string {
  return `${requests} requests, ${Object.values(counts.client).join('/')}, ${policy}`;
}
