// Hot path: one lookup per request with a session key.

import { ownText } from '../basics/own-text.ts';
import type { Clock } from '../clock.ts';

/** What a table remembers of a key. Replaced, never changed, so that identity tells who wrote it. */
export interface Remembered {
  /** Whether it has proven right; until then it counts least. */
  readonly confirmed: boolean;
}

/** 0: not confirmed. 1: confirmed. 2: confirmed, and used since. */
type Level = 0 | 1 | 2;

interface Entry<Value extends Remembered> {
  readonly key: string;
  value: Value;
  level: Level;
  expiresAtMs: number;
  newer: Entry<Value> | undefined;
  older: Entry<Value> | undefined;
}

/** Entries of one level, by last use. */
interface Segment<Value extends Remembered> {
  size: number;
  newest: Entry<Value> | undefined;
  oldest: Entry<Value> | undefined;
}

/** Share of the table that confirmed entries may fill, so that there is always room to become one. */
const CONFIRMED_SHARE = 0.9;
/** Share of the confirmed entries that ones used since may be. */
const USED_SHARE = 0.8;

/**
 * A bounded map with a sliding time to live, in three segments. Full, it forgets the entry unused for longest of the
 * lowest segment that has any: what never proved right goes before what did, and what proved right once before what is
 * in use. So a flood of new keys, successful ones included, pushes out the flood.
 *
 * Every operation takes constant time; linked lists find the oldest entry, because asking a `Map` for its first key
 * walks over everything deleted before it.
 */
export class SegmentedTable<Value extends Remembered> {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #confirmedMax: number;
  readonly #usedMax: number;
  readonly #ttlMs: number;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #segments: readonly [Segment<Value>, Segment<Value>, Segment<Value>] = [empty(), empty(), empty()];

  constructor(options: { readonly clock: Clock; readonly capacity: number; readonly ttlMs: number }) {
    this.#clock = options.clock;
    this.#capacity = options.capacity;
    this.#ttlMs = options.ttlMs;
    this.#confirmedMax = Math.max(1, Math.floor(options.capacity * CONFIRMED_SHARE));
    this.#usedMax = Math.max(1, Math.floor(this.#confirmedMax * USED_SHARE));
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What is remembered of `key`, unless it has expired. Changes nothing. */
  peek(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#clock.monotonicMs() < entry.expiresAtMs ? entry.value : undefined;
  }

  /** What is remembered of `key`, which thereby counts as used: its time to live starts afresh. */
  use(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const now = this.#clock.monotonicMs();
    if (now >= entry.expiresAtMs) {
      this.#remove(entry);
      return undefined;
    }
    entry.expiresAtMs = now + this.#ttlMs;
    this.#place(entry, entry.level === 0 ? 0 : 2);
    return entry.value;
  }

  /** Remembers `value` of `key`, replacing what there was. A key that was in use remains so. */
  put(key: string, value: Value): Value {
    const replaced = this.#entries.get(key);
    const expiresAtMs = this.#clock.monotonicMs() + this.#ttlMs;
    if (replaced !== undefined) {
      replaced.value = value;
      replaced.expiresAtMs = expiresAtMs;
      this.#place(replaced, replaced.level === 0 && value.confirmed ? 1 : replaced.level);
      return value;
    }
    if (this.#entries.size >= this.#capacity) this.#forgetOne();
    // Keys are cut out of headers, which may be a hundred times as long.
    const own = ownText(key);
    const entry: Entry<Value> = {
      key: own,
      value,
      level: 0,
      expiresAtMs,
      newer: undefined,
      older: undefined,
    };
    this.#entries.set(own, entry);
    link(this.#segments[0], entry);
    if (value.confirmed) this.#place(entry, 1);
    return value;
  }

  /** Forgets `key`. */
  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(entry);
  }

  /** Makes the entry the newest of its new level. */
  #place(entry: Entry<Value>, level: Level): void {
    const segment = this.#segments[level];
    if (entry.level === level && entry === segment.newest) return;
    unlink(this.#segments[entry.level], entry);
    entry.level = level;
    link(segment, entry);
    const [, confirmed, used] = this.#segments;
    if (used.size > this.#usedMax && used.oldest !== undefined) this.#place(used.oldest, 1);
    if (confirmed.size + used.size <= this.#confirmedMax) return;
    const oldest = confirmed.oldest ?? used.oldest;
    if (oldest !== undefined) this.#remove(oldest);
  }

  #forgetOne(): void {
    const [tentative, confirmed, used] = this.#segments;
    const oldest = tentative.oldest ?? confirmed.oldest ?? used.oldest;
    if (oldest !== undefined) this.#remove(oldest);
  }

  #remove(entry: Entry<Value>): void {
    this.#entries.delete(entry.key);
    unlink(this.#segments[entry.level], entry);
  }
}

function empty<Value extends Remembered>(): Segment<Value> {
  return { size: 0, newest: undefined, oldest: undefined };
}

function link<Value extends Remembered>(segment: Segment<Value>, entry: Entry<Value>): void {
  segment.size++;
  entry.older = segment.newest;
  if (segment.newest !== undefined) segment.newest.newer = entry;
  segment.newest = entry;
  segment.oldest ??= entry;
}

function unlink<Value extends Remembered>(segment: Segment<Value>, entry: Entry<Value>): void {
  segment.size--;
  if (entry.newer === undefined) segment.newest = entry.older;
  else entry.newer.older = entry.older;
  if (entry.older === undefined) segment.oldest = entry.newer;
  else entry.older.newer = entry.newer;
  entry.newer = undefined;
  entry.older = undefined;
}
