/**
 * Numbers found by name, in two columns that another process can fill and hand over: neither building a snapshot nor
 * swapping it then costs anything per name. A map of thousands of names would be built, and later collected, on the
 * thread of the requests.
 */
export interface NameIndex {
  /** Hashes of the names, ascending. */
  readonly hashes: Uint32Array;
  /** The number of the name that has the hash at the same place. */
  readonly numbers: Uint32Array;
}

/** Indexes names by their position. Equal names are all found. */
export function indexNames(names: readonly string[]): NameIndex {
  const entries = names.map((name, number) => ({ hash: hashOf(name), number }));
  entries.sort((a, b) => a.hash - b.hash || a.number - b.number);
  return {
    hashes: Uint32Array.from(entries, ({ hash }) => hash),
    numbers: Uint32Array.from(entries, ({ number }) => number),
  };
}

/** The numbers that may have this name, ascending: all that do, and rarely one that has another of the same hash. */
export function* numbersOf({ hashes, numbers }: NameIndex, name: string): Generator<number, void, void> {
  const hash = hashOf(name);
  for (let at = firstAt(hashes, hash); hashes[at] === hash; at++) yield numbers[at] ?? -1;
}

function firstAt(hashes: Uint32Array, wanted: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** FNV-1a over UTF-16 code units. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
