import type { RouteDecision } from '@switchyard/ai-route';
import { headerSafe } from '@switchyard/gateway-kit';
import { HOP_HEADERS } from '@switchyard/overlay-contract';
import {
  CREDENTIAL_HEADERS,
  filterRequestHeaders,
  withoutCredentialParameters,
} from '@switchyard/proxy-core-http';
import type { ClusterConfig } from '../config/clusters.ts';

/** What one attempt's headers are made of. */
export interface AttemptHeaderParts {
  /** The client's headers without the internal ones: the same pristine list for every attempt. */
  readonly headers: readonly string[];
  readonly cluster: ClusterConfig;
  readonly decision: RouteDecision;
  readonly requestId: string;
  /** Goes behind the client's own `Via` lines. */
  readonly via: string;
}

/**
 * The headers of one attempt, as a fresh flat list: hop-by-hop headers go, credentials go unless the cluster
 * keeps them, the gateway puts itself down in `Via`, and a provider gateway of ours is told which candidate of which
 * revision it was picked as.
 */
export function attemptHeaders(parts: AttemptHeaderParts): string[] {
  const { cluster } = parts;
  const options = cluster.credentials === 'strip' ? { drop: CREDENTIAL_HEADERS } : {};
  const set = cluster.providerHop ? hopContext(parts) : [];
  const headers = filterRequestHeaders(parts.headers, { ...options, set });
  headers.push('via', parts.via);
  return headers;
}

/** The request target of one attempt: as the client sent it, without its credentials unless the cluster keeps them. */
export function attemptTarget(target: string, { credentials }: Pick<ClusterConfig, 'credentials'>): string {
  return credentials === 'strip' ? withoutCredentialParameters(target) : target;
}

/**
 * An answer's headers without what only a defect puts there: a provider, or a proxy before it, that echoes the key it was
 * called with. A cluster that is given the client's own credentials may answer with some.
 */
export function answerHeaders(
  headers: string[],
  { credentials }: Pick<ClusterConfig, 'credentials'>,
): string[] {
  if (credentials === 'passthrough') return headers;
  let kept: string[] | undefined;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (CREDENTIAL_HEADERS.has(name.toLowerCase())) kept ??= headers.slice(0, at);
    else kept?.push(name, headers[at + 1] ?? '');
  }
  return kept ?? headers;
}

function hopContext({ decision, requestId }: AttemptHeaderParts): string[] {
  return [
    HOP_HEADERS.candidate,
    headerSafe(decision.candidate.stableId),
    HOP_HEADERS.requestId,
    requestId,
    HOP_HEADERS.revision,
    decision.servingRevision,
  ];
}
