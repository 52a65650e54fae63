import { STATE_KEY_BYTES_MAX } from './asked.ts';

/** What only one provider has. */
export type StateKind = 'response' | 'conversation' | 'mcp_session';

/**
 * The key under which a router remembers which provider holds some state; undefined when the id cannot be one.
 * Namespaced, so that a response and a session of one name are two things.
 */
export function stateKey(kind: StateKind, id: string): string | undefined {
  const key = `${kind}:${id}`;
  return id === '' || Buffer.byteLength(key) > STATE_KEY_BYTES_MAX ? undefined : key;
}
