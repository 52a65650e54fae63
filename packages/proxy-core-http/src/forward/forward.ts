import { ForwardExchange } from './exchange-state.ts';
import type { ForwardOptions } from './forward-options.ts';
import type { ForwardOutcome } from './outcome.ts';

/**
 * Forwards one exchange: request out, answer back, byte for byte, with back-pressure both ways.
 *
 * The answer's head, whatever its status, is held until its first body byte or its end: that is the commit point.
 * Before it nothing reaches the client and the same `outgoing` may be used for another attempt; after it the exchange
 * can only complete or break. When the client leaves, in whatever phase, the upstream is aborted.
 *
 * Never rejects, never throws and never writes an answer of its own.
 */
export function forward(options: ForwardOptions): Promise<ForwardOutcome> {
  return new Promise((resolve) => {
    new ForwardExchange(options, resolve).start();
  });
}
