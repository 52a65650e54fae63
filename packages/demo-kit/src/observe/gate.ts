import { setTimeout as sleep } from 'node:timers/promises';
import type { Revisions } from '../records.ts';

/** Time between two polls, in milliseconds. */
const POLL_MS = 100;

/** What the gate needs. */
export interface GateOptions {
  readonly read: () => Promise<Revisions>;
  /** How long to wait for agreement, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until published, accepted and serving revision agree on two polls in a row and returns every poll made.
 * Traffic that starts once the control plane has *published* would measure the delivery, not the split.
 *
 * @throws Error with the three revisions when they don't agree in time.
 */
export async function waitForAgreement({ read, timeoutMs, signal }: GateOptions): Promise<Revisions[]> {
  const polls: Revisions[] = [];
  for (let waitedMs = 0; waitedMs <= timeoutMs; waitedMs += POLL_MS) {
    const now = await read();
    polls.push(now);
    const before = polls.at(-2);
    if (before !== undefined && agrees(now, now.published) && agrees(before, now.published)) return polls;
    await sleep(POLL_MS, undefined, { signal });
  }
  const { published, accepted, serving } = polls.at(-1) ?? { published: null, accepted: null, serving: null };
  throw new Error(
    `published, accepted and serving revision did not agree within ${timeoutMs} ms: ` +
      `published ${published ?? 'none'}, accepted ${accepted ?? 'none'}, serving ${serving ?? 'none'}`,
  );
}

/** Whether the three revisions are there and equal `revision`. */
export function agrees({ published, accepted, serving }: Revisions, revision: string | null): boolean {
  return revision !== null && published === revision && accepted === revision && serving === revision;
}
