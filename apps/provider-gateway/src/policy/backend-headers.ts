import { ATTRIBUTION_HEADERS } from '@switchyard/overlay-contract';
import { CREDENTIAL_HEADERS, filterRequestHeaders } from '@switchyard/proxy-core-http';
import type { HopContext } from './hop-context.ts';

/** Headers of the gateways' own. Whatever the peer sent of them, the backend gets ours or none. */
const INTERNAL = /^x-(ai-routing|ai-provider|switchyard)-/i;

/**
 * Headers for the backend: hop-by-hop, hop headers and every credential slot are gone, attribution is set anew.
 *
 * @param raw - Flat list of names and values, as received.
 */
export function backendHeaders(raw: readonly string[], providerId: string, hop: HopContext): string[] {
  const internal = new Set<string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (INTERNAL.test(name)) internal.add(name.toLowerCase());
  }
  const set = [ATTRIBUTION_HEADERS.attribution, providerId, ATTRIBUTION_HEADERS.requestId, hop.requestId];
  if (hop.revision !== undefined) set.push(ATTRIBUTION_HEADERS.revision, hop.revision);
  return filterRequestHeaders(raw, { drop: new Set([...CREDENTIAL_HEADERS, ...internal]), set });
}

/**
 * Headers of a backend's answer for the peer. Attribution and credentials stand in an answer only when somebody echoes
 * what it was called with; they go no further.
 */
export function peerHeaders(headers: string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (INTERNAL.test(name) || CREDENTIAL_HEADERS.has(name.toLowerCase())) continue;
    kept.push(name, headers[at + 1] ?? '');
  }
  return kept;
}
