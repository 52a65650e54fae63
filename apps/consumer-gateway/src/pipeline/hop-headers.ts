import type { RouteDecision } from '@switchyard/ai-route';
import { headerSafe } from '@switchyard/gateway-kit';
import { HOP_HEADERS } from '@switchyard/overlay-contract';
import { CREDENTIAL_HEADERS, filterRequestHeaders } from '@switchyard/proxy-core-http';
import type { ClusterConfig } from '../config/clusters.ts';

/** What one attempt's headers are made of. */
export interface AttemptHeaderParts {
  /** The client's headers without the internal ones: the same pristine list for every attempt. */
  readonly headers: readonly string[];
  readonly cluster: ClusterConfig;
  readonly decision: RouteDecision;
  readonly requestId: string;
}

/**
 * The headers of one attempt, as a fresh flat list: hop-by-hop headers go, credentials go unless the cluster
 * keeps them, and a provider gateway of ours is told which candidate of which revision it was picked as.
 */
export function attemptHeaders(parts: AttemptHeaderParts): string[] {
  const { cluster, decision } = parts;
  const options = cluster.credentials === 'strip' ? { drop: CREDENTIAL_HEADERS } : {};
  if (!cluster.providerHop) return filterRequestHeaders(parts.headers, options);
  const set = [
    HOP_HEADERS.candidate,
    headerSafe(decision.candidate.stableId),
    HOP_HEADERS.requestId,
    parts.requestId,
    HOP_HEADERS.revision,
    decision.servingRevision,
  ];
  return filterRequestHeaders(parts.headers, { ...options, set });
}
