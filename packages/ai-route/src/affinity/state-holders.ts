import type { CapabilityName } from '../snapshot/snapshot.ts';
import type { Remembered, SegmentedTable } from './segmented-table.ts';

/** The provider that holds a state, and the capability with which it came to be. */
export interface StateHolder extends CapabilityName {
  readonly cluster: string;
  readonly site: string;
}

/**
 * Who named a state: the provider that holds it, or only the client that asked for it, which may have made it up. Where room
 * is short, those go first.
 */
export type StateNamer = 'provider' | 'client';

/** A state, and who holds it. */
export interface HeldState extends Remembered, StateHolder {}

/** Longest usable name of a state, in bytes; a longer one counts as unknown. */
const STATE_KEY_BYTES_MAX = 1024;

/** Who holds which state: an MCP session or a stored response that exists at one provider and nowhere else. */
export class StateHolders {
  readonly #table: SegmentedTable<HeldState>;

  constructor(table: SegmentedTable<HeldState>) {
    this.#table = table;
  }

  /** Who holds the state, which thereby counts as used. */
  use(stateKey: string | undefined): StateHolder | undefined {
    return usable(stateKey) ? publicPart(this.#table.use(stateKey)) : undefined;
  }

  /** Who holds the state. Changes nothing. */
  peek(stateKey: string | undefined): StateHolder | undefined {
    return usable(stateKey) ? publicPart(this.#table.peek(stateKey)) : undefined;
  }

  learn(stateKey: string, { kind, name, cluster, site }: StateHolder, namedBy: StateNamer): void {
    const confirmed = namedBy === 'provider';
    if (usable(stateKey)) this.#table.put(stateKey, { confirmed, kind, name, cluster, site });
  }
}

function usable(stateKey: string | undefined): stateKey is string {
  return stateKey !== undefined && stateKey !== '' && Buffer.byteLength(stateKey) <= STATE_KEY_BYTES_MAX;
}

function publicPart(held: HeldState | undefined): StateHolder | undefined {
  return held && { kind: held.kind, name: held.name, cluster: held.cluster, site: held.site };
}
