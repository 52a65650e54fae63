import type { Clock } from '../clock.ts';
import { BindingTokens } from './binding-token.ts';
import { CookieAffinity } from './cookie-affinity.ts';
import { RendezvousAffinity } from './rendezvous-affinity.ts';
import { SegmentedTable } from './segmented-table.ts';
import type { Affinity, OnReturn } from './session.ts';
import { TableAffinity } from './table-affinity.ts';

/** Affinity with every default filled in. */
export interface AffinityPolicy {
  readonly mode: 'table' | 'rendezvous' | 'cookie';
  readonly onReturn: OnReturn;
  readonly ttlMs: number;
  readonly capacity: number;
  /** Sign tokens, the first one, and verify them. At least one in mode `cookie`. */
  readonly keys: readonly Uint8Array[];
}

/** The affinity of the policy's mode. */
export function createAffinity(policy: AffinityPolicy, clock: Clock): Affinity {
  const { mode, onReturn, ttlMs, capacity, keys } = policy;
  switch (mode) {
    case 'table':
      return new TableAffinity(new SegmentedTable({ clock, capacity, ttlMs }), onReturn);
    case 'rendezvous':
      return new RendezvousAffinity();
    case 'cookie':
      return new CookieAffinity({ tokens: new BindingTokens(keys), ttlMs, onReturn, clock });
  }
}
