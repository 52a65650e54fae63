import type { CandidateKind } from '@switchyard/overlay-contract';

/** What makes a candidate itself: no two candidates of one overlay share all four. */
export interface CandidateIdentity {
  readonly kind: CandidateKind;
  /** Model or tool name. */
  readonly name: string;
  readonly site: string;
  /** Routing identity: the cluster a gateway looks up. */
  readonly cluster: string;
}

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a, 32 bit, over the UTF-8 bytes of a text; 8 lower-case hex digits. */
export function fnv1a32(text: string): string {
  let hash = OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, PRIME);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * The `stable_id` Grid publishes: {@link fnv1a32} of `kind/name/site/cluster`.
 *
 * The parts are joined unescaped and 32 bits are few, so two identities can share an id. The wire format fixes the
 * formula; the renderer therefore refuses an overlay with such a pair before it is published.
 */
export function stableId(identity: CandidateIdentity): string {
  return fnv1a32(`${identity.kind}/${identity.name}/${identity.site}/${identity.cluster}`);
}

/** An injective text for an identity, for use as a map key: unlike a joined path, `a/b`+`c` and `a`+`b/c` differ. */
export function identityKey(identity: CandidateIdentity): string {
  return JSON.stringify([identity.kind, identity.name, identity.site, identity.cluster]);
}

/** `inference_model model-a at site-a on cluster-a`, for messages. */
export function describeIdentity(identity: CandidateIdentity): string {
  const { kind, name, site, cluster } = identity;
  return `${kind} ${JSON.stringify(name)} at site ${JSON.stringify(site)} on cluster ${JSON.stringify(cluster)}`;
}
