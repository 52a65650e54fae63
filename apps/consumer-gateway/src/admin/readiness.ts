import type { RouterHealth } from '@switchyard/ai-route';
import type { Readiness } from '@switchyard/gateway-kit';

/**
 * Whether this gateway should get requests. A bad overlay file behind a good snapshot is a reason to look, not to send
 * the traffic elsewhere.
 */
export function readiness({ state, reasons }: RouterHealth, stopping: boolean): Readiness {
  const messages = reasons.map(({ code, message }) => `${code}: ${message}`);
  return {
    ready: !stopping && state !== 'not_ready',
    degraded: state === 'degraded',
    reasons: stopping ? ['shutting down', ...messages] : messages,
  };
}
