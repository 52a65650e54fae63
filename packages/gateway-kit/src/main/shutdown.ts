import process from 'node:process';
import type { Logger } from 'pino';
import { EXIT_CODES } from './exit-codes.ts';

/** A process' way to its end. */
export interface Shutdown {
  /** Aborted at the first SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
  /** Resolves at the first SIGTERM or SIGINT. */
  readonly requested: Promise<void>;
}

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * The first SIGTERM or SIGINT asks for a graceful end and starts the deadline; the second ends the process at once with
 * 128 + the signal's number. When the deadline passes first, the process ends with 1.
 */
export function watchSignals(options: { readonly deadlineMs: number; readonly log: Logger }): Shutdown {
  const { deadlineMs, log } = options;
  const controller = new AbortController();
  const requested = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const onSignal = (name: keyof typeof SIGNAL_NUMBERS): void => {
    if (controller.signal.aborted) {
      log.warn({ signal: name }, 'second signal: ending at once');
      process.exit(128 + SIGNAL_NUMBERS[name]);
    }
    log.info({ signal: name, deadlineMs }, 'shutting down; a second signal ends at once');
    setTimeout(() => {
      log.error({ deadlineMs }, 'shutdown did not finish in time: ending with work cut off');
      process.exit(EXIT_CODES.failure);
    }, deadlineMs);
    controller.abort();
  };
  process.on('SIGTERM', () => onSignal('SIGTERM'));
  process.on('SIGINT', () => onSignal('SIGINT'));
  return { signal: controller.signal, requested };
}
