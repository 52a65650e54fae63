import { ManualClock } from '@switchyard/test-kit';
import type { AttemptOutcome, MemberView, Router } from '../../src/index.ts';
import type { CommonRouterOptions } from '../../src/options/options.ts';
import { MODEL } from './overlays.ts';
import { ANSWERED, candidatesOf, selectionOf, staticRouter } from './static-router.ts';

/** The provider failed. */
export const FAILED: AttemptOutcome = { result: 'status_500' };

/** Two failures in a row eject for a second, then two, four, eight. */
export const viability = { consecutiveFailures: 2, ejectionMs: 1000, maxEjectionMs: 8000, jitter: 0 };

export async function routerOf(
  groups: readonly string[],
  options: CommonRouterOptions = {},
): Promise<{ clock: ManualClock; router: Router }> {
  const clock = new ManualClock();
  const router = await staticRouter(candidatesOf(groups), { viability, clock, ...options });
  return { clock, router };
}

/** Ends requests until one of them went to `site`, and that one like this. */
export function endAt(router: Router, site: string, outcome: AttemptOutcome): void {
  for (let i = 0; i < 20; i++) {
    const selection = selectionOf(router.select(MODEL));
    const hit = selection.decision.candidate.site === site;
    selection.end(hit ? outcome : ANSWERED);
    if (hit) return;
  }
  throw new Error(`nobody went to ${site}`);
}

/** Where the next requests go, which all succeed. */
export function served(router: Router, requests: number): string {
  return Array.from({ length: requests }, () => {
    const selection = selectionOf(router.select(MODEL));
    selection.end(ANSWERED);
    return selection.decision.candidate.site;
  }).join('');
}

/** What the router shows of a candidate. */
export const healthOf = (router: Router, site: string): MemberView | undefined =>
  [...router.routes()]
    .flatMap(({ groups }) => groups.flatMap(({ members }) => members))
    .find((one) => one.site === site);
