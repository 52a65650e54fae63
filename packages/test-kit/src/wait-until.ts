import { setTimeout as delay } from 'node:timers/promises';

/** Options of {@link waitUntil}. */
export interface WaitUntilOptions {
  /** Gives up after this long. Default 15000: a busy machine is slow, and a good test ends long before. */
  readonly timeoutMs?: number;
  /** Pause between two probes. Default 10. */
  readonly intervalMs?: number;
  /** What is waited for; stands in the error. Default "condition". */
  readonly what?: string;
}

/** What stands for an answer that did not come in time. */
const NEVER = Symbol('never');

type NotYet = undefined | false | null;

/**
 * Probes until the answer is something else than `undefined`, `null` or `false`, and returns it.
 * A probe that throws counts as "not yet"; the last such error is the `cause` of the time-out.
 *
 * @throws Error when `timeoutMs` have passed.
 */
export async function waitUntil<T>(
  probe: () => T | NotYet | Promise<T | NotYet>,
  options: WaitUntilOptions = {},
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? 15_000;
  const deadline = performance.now() + timeoutMs;
  const timeout = new AbortController();
  const expired = delay(timeoutMs, NEVER, { signal: timeout.signal });
  // Called off once there is an answer.
  expired.catch(() => undefined);
  let lastError: unknown;
  try {
    for (;;) {
      try {
        // A probe may wait for an answer that never comes.
        const answer = await Promise.race([probe(), expired]);
        if (answer !== undefined && answer !== null && answer !== false && answer !== NEVER) return answer;
      } catch (error) {
        lastError = error;
      }
      if (performance.now() >= deadline) break;
      await delay(options.intervalMs ?? 10);
    }
  } finally {
    timeout.abort();
  }
  const why = lastError === undefined ? '' : `; last error: ${String(lastError)}`;
  throw new Error(`Waited ${timeoutMs} ms for ${options.what ?? 'condition'}${why}`, { cause: lastError });
}
