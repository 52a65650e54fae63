import type { Group } from '../snapshot/snapshot.ts';

/**
 * Where rotations begin. `first`: with the first member. `hashed`: at a turn derived from the instance, so that a fleet
 * of gateways started together doesn't march in step onto the same provider.
 */
export type StartMode =
  | { readonly mode: 'first' }
  | {
      readonly mode: 'hashed';
      /** Different for every gateway and stable over its restarts, such as the pod name. */
      readonly instanceId: string;
    };

/** The offset at which the group's rotation begins; each picker reduces it to its own length. */
export function startOffset(start: StartMode, group: Group): number {
  if (start.mode === 'first') return 0;
  const [first] = group.members;
  const keys = group.members.map(({ key }) => key);
  return hash32(JSON.stringify([start.instanceId, first?.candidate.kind, first?.candidate.name, ...keys]));
}

/** FNV-1a over UTF-16 code units, with a finish that lets every bit of the text reach every bit of the result. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
