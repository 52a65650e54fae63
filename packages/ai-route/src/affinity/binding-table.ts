// Hot path: one lookup per request with a session key.
import type { Clock } from '../clock.ts';
import { ownText } from '../own-text.ts';

/** Which candidate a session is bound to. Replaced, never re-pointed, so that identity tells who wrote it. */
export interface Binding {
  readonly key: string;
  readonly stableId: string;
  /** Whether an attempt has succeeded there. A binding is tentative from selection until then. */
  readonly confirmed: boolean;
}

interface Entry extends Binding {
  expiresAtMs: number;
  newer: Entry | undefined;
  older: Entry | undefined;
}

/**
 * A bounded map from session to candidate: full, it forgets the session unused for longest. Every operation takes
 * constant time, also under a flood of new keys; a linked list finds the oldest entry, because asking a `Map` for its
 * first key walks over everything deleted before it.
 */
export class BindingTable {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #ttlMs: number;
  readonly #entries = new Map<string, Entry>();
  #newest: Entry | undefined;
  #oldest: Entry | undefined;

  constructor(options: { readonly clock: Clock; readonly capacity: number; readonly ttlMs: number }) {
    this.#clock = options.clock;
    this.#capacity = options.capacity;
    this.#ttlMs = options.ttlMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The binding of `key`, unless it has expired. Changes nothing. */
  peek(key: string): Binding | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#clock.monotonicMs() < entry.expiresAtMs ? entry : undefined;
  }

  /** The binding of `key`, which thereby counts as used: its time to live starts afresh. */
  use(key: string): Binding | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const now = this.#clock.monotonicMs();
    if (now >= entry.expiresAtMs) {
      this.#remove(entry);
      return undefined;
    }
    entry.expiresAtMs = now + this.#ttlMs;
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#linkNewest(entry);
    }
    return entry;
  }

  /** Binds `key`, replacing what it was bound to. */
  put(binding: Binding): Binding {
    const replaced = this.#entries.get(binding.key);
    if (replaced !== undefined) this.#remove(replaced);
    else if (this.#entries.size >= this.#capacity && this.#oldest !== undefined) this.#remove(this.#oldest);
    const entry: Entry = {
      // Session keys are cut out of headers, which may be a hundred times as long.
      key: ownText(binding.key),
      stableId: binding.stableId,
      confirmed: binding.confirmed,
      expiresAtMs: this.#clock.monotonicMs() + this.#ttlMs,
      newer: undefined,
      older: undefined,
    };
    this.#entries.set(entry.key, entry);
    this.#linkNewest(entry);
    return entry;
  }

  /** Forgets `key`. */
  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(entry);
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#unlink(entry);
  }

  #linkNewest(entry: Entry): void {
    entry.older = this.#newest;
    if (this.#newest !== undefined) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  #unlink(entry: Entry): void {
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
    entry.newer = undefined;
    entry.older = undefined;
  }
}
