import { headerValues } from '@switchyard/gateway-kit';

/**
 * The name by which one gateway process knows itself in `Via` (RFC 9110 §7.6.3). Drawn anew by every process, so that it
 * tells nothing of the machine, and no other gateway's requests are taken for its own.
 * @param randomBits - Any text that nobody else draws.
 */
export function viaPseudonym(randomBits: string): string {
  return `switchyard-${randomBits}`;
}

/** The value of the `Via` line that every request to a provider gets. */
export function viaLine(pseudonym: string): string {
  return `1.1 ${pseudonym}`;
}

/** Whether these headers of a request say that it went out from this process before: some provider's address leads back. */
export function cameFromHere(headers: readonly string[], pseudonym: string): boolean {
  for (const value of headerValues(headers, 'via')) if (value.includes(pseudonym)) return true;
  return false;
}
