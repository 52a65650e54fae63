import { setTimeout as delay } from 'node:timers/promises';

/** Options of {@link waitUntil}. */
export interface WaitUntilOptions {
  /** Gives up after this long. Default 5000. */
  readonly timeoutMs?: number;
  /** Pause between two probes. Default 10. */
  readonly intervalMs?: number;
  /** What is waited for; stands in the error. Default "condition". */
  readonly what?: string;
}

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
  const timeoutMs = options.timeoutMs ?? 5000;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      const why = lastError === undefined ? '' : `; last error: ${String(lastError)}`;
      throw new Error(`Waited ${timeoutMs} ms for ${options.what ?? 'condition'}${why}`, {
        cause: lastError,
      });
    }
    await delay(options.intervalMs ?? 10);
  }
}
